// What a verifier needs about a public source of entropy, and how the source's answer is compared with a
// captured payload.
import type { Carried } from '../bundle/bundle_parts.ts'
import type { JsonObject } from '../json_value.ts'
import { type Lookup, type Lookups, look, type Question } from '../lookups/lookup.ts'
import { integerOf, momentOf } from '../verify/carried_values.ts'

/**
 * Asks the source and compares. The value of `found` says whether the source's answer agrees with the
 * payload.
 */
export type EntropyQuestion = (lookups: Lookups) => Promise<Lookup<boolean>>

export interface EntropyReader {
  /** The time of publication that a captured payload states: milliseconds since 1970. */
  readonly publishedAt: (payload: JsonObject) => number | undefined
  /**
   * Undefined when the payload lacks a member that the request needs. `stellarNetwork` is where Stellar
   * ledgers are looked up.
   */
  readonly question: (payload: JsonObject, stellarNetwork: string) => EntropyQuestion | undefined
}

export const comparing =
  <Found>(question: Question<Found>, agrees: (found: Found) => boolean): EntropyQuestion =>
  async (lookups) => {
    const answer = await look(lookups, question)
    return answer.outcome === 'found' ? { outcome: 'found', value: agrees(answer.value) } : answer
  }

/**
 * False when the answer has another number, because it is then about another record. True when it has no
 * number: the hash or output identifies it.
 */
export function isNumbered(found: number | undefined, asked: number): boolean {
  return found === undefined || found === asked
}

export function countOf(value: Carried): number | undefined {
  const integer = integerOf(value)
  return integer !== undefined && integer >= 0 ? integer : undefined
}

export function sameIgnoringCase(found: string, value: Carried): boolean {
  return typeof value === 'string' && found.toLowerCase() === value.toLowerCase()
}

export function sameMoment(found: string, value: Carried): boolean {
  const moment = momentOf(found)
  return moment !== undefined && moment === momentOf(value)
}
