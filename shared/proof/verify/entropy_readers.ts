// What a verifier needs about a public source of entropy: the reader of what was captured of each, and how the
// source's answer is compared with it.
import { type Carried, carried } from '../bundle/bundle_parts.ts'
import type { EntropyName } from '../entropy_names.ts'
import { isJsonObject, type JsonObject } from '../json_value.ts'
import { type Lookup, type Lookups, look, type Question } from '../lookups/lookup.ts'
import { bitcoinBlock, nistPulse, stellarLedger } from '../lookups/public_services.ts'
import { integerOf, momentOf, textOf } from './carried_values.ts'
import { type CheckVerdict, fail, pass, skip, unconfirmed } from './report.ts'

/**
 * Asks the source and compares. The value of `found` says whether the source's answer agrees with the
 * payload.
 */
type EntropyQuestion = (lookups: Lookups) => Promise<Lookup<boolean>>

interface EntropyReader {
  /** The time of publication that a captured payload states: milliseconds since 1970. */
  readonly publishedAt: (payload: JsonObject) => number | undefined
  /**
   * Undefined when the payload lacks a member that the request needs. `stellarNetwork` is where Stellar
   * ledgers are looked up.
   */
  readonly question: (payload: JsonObject, stellarNetwork: string) => EntropyQuestion | undefined
}

const comparing =
  <Found>(question: Question<Found>, agrees: (found: Found) => boolean): EntropyQuestion =>
  async (lookups) => {
    const answer = await look(lookups, question)
    return answer.outcome === 'found' ? { outcome: 'found', value: agrees(answer.value) } : answer
  }

/**
 * False when the answer has another number, because it is then about another record. True when it has no
 * number: the hash or output identifies it.
 */
function isNumbered(found: number | undefined, asked: number): boolean {
  return found === undefined || found === asked
}

function countOf(value: Carried): number | undefined {
  const integer = integerOf(value)
  return integer !== undefined && integer >= 0 ? integer : undefined
}

function sameIgnoringCase(found: string, value: Carried): boolean {
  return typeof value === 'string' && found.toLowerCase() === value.toLowerCase()
}

function sameMoment(found: string, value: Carried): boolean {
  const moment = momentOf(found)
  return moment !== undefined && moment === momentOf(value)
}

export const ENTROPY_READERS: Readonly<Record<EntropyName, EntropyReader>> = {
  entropy_nist: {
    publishedAt: (payload) => {
      const pulse = carried(payload, 'pulse')
      return isJsonObject(pulse) ? momentOf(carried(pulse, 'timeStamp')) : undefined
    },
    question: (payload) => {
      const pulse = carried(payload, 'pulse')
      if (!isJsonObject(pulse)) return undefined
      const chainIndex = countOf(carried(pulse, 'chainIndex'))
      const pulseIndex = countOf(carried(pulse, 'pulseIndex'))
      if (chainIndex === undefined || pulseIndex === undefined) return undefined
      return comparing(
        nistPulse(chainIndex, pulseIndex),
        (found) =>
          isNumbered(found.chainIndex, chainIndex) &&
          isNumbered(found.pulseIndex, pulseIndex) &&
          sameIgnoringCase(found.outputValue, carried(pulse, 'outputValue')) &&
          sameMoment(found.timeStamp, carried(pulse, 'timeStamp')),
      )
    },
  },
  entropy_stellar: {
    publishedAt: (payload) => momentOf(carried(payload, 'closed_at')),
    question: (payload, stellarNetwork) => {
      const sequence = countOf(carried(payload, 'sequence'))
      if (sequence === undefined) return undefined
      return comparing(
        stellarLedger(stellarNetwork, sequence),
        (found) =>
          isNumbered(found.sequence, sequence) &&
          sameIgnoringCase(found.hash, carried(payload, 'hash')) &&
          sameMoment(found.closed_at, carried(payload, 'closed_at')),
      )
    },
  },
  entropy_bitcoin: {
    publishedAt: (payload) => {
      const seconds = integerOf(carried(payload, 'time'))
      return seconds === undefined ? undefined : seconds * 1000
    },
    question: (payload) => {
      const hash = textOf(carried(payload, 'hash'))?.toLowerCase()
      if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined
      const height = carried(payload, 'height')
      const time = carried(payload, 'time')
      return comparing(
        bitcoinBlock('mainnet', hash),
        (found) =>
          found.id === hash &&
          (height === undefined || height === found.height) &&
          (time === undefined || time === found.timestamp),
      )
    },
  },
}

/**
 * Undefined when the payload lacks a member that the request needs. `stellarNetwork` is where ledgers are
 * looked up.
 */
export const entropyQuestion = (
  name: EntropyName,
  payload: Carried,
  stellarNetwork: string,
): EntropyQuestion | undefined =>
  isJsonObject(payload) ? ENTROPY_READERS[name].question(payload, stellarNetwork) : undefined

export async function confirmEntropy(
  lookups: Lookups | undefined,
  name: EntropyName,
  question: EntropyQuestion | undefined,
): Promise<CheckVerdict> {
  if (lookups === undefined)
    return unconfirmed(skip(`${name} was not compared with its source: external checks are off.`))
  if (question === undefined)
    return unconfirmed(fail(`The payload of ${name} does not say what to ask its source for.`))
  const answer = await question(lookups)
  switch (answer.outcome) {
    case 'found':
      return answer.value
        ? { findings: [pass(`The source of ${name} has published this payload.`)], isConfirmed: true }
        : unconfirmed(fail(`The source of ${name} has published something else.`))
    case 'absent':
      return unconfirmed(skip(`The source of ${name} does not have what the payload names.`))
    case 'unreachable':
      return unconfirmed(skip(`The source of ${name} could not be asked: ${answer.why}.`))
    default:
      return answer satisfies never
  }
}
