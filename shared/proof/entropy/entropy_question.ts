// What a verifier must know of a public source, and how an answer of it is compared with a captured payload.
import type { Carried } from '../bundle/bundle_parts.ts'
import type { JsonObject } from '../json_value.ts'
import { type Lookup, type Lookups, look, type Question } from '../lookups/lookup.ts'
import { integerOf, momentOf } from '../verify/carried_values.ts'

/** Asks the source and compares: `found` says whether what it has agrees with the payload. */
export type EntropyQuestion = (lookups: Lookups) => Promise<Lookup<boolean>>

export interface EntropyReader {
  /** When a captured payload says it was published: milliseconds since 1970. */
  readonly publishedAt: (payload: JsonObject) => number | undefined
  /** Undefined when the payload lacks what the request needs. `stellarNetwork` is where Stellar ledgers are looked up. */
  readonly question: (payload: JsonObject, stellarNetwork: string) => EntropyQuestion | undefined
}

export const comparing =
  <Found>(question: Question<Found>, agrees: (found: Found) => boolean): EntropyQuestion =>
  async (lookups) => {
    const answer = await look(lookups, question)
    return answer.outcome === 'found' ? { outcome: 'found', value: agrees(answer.value) } : answer
  }

/** An answer about another number is about something else; one that tells no number is known by its hash or output. */
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
