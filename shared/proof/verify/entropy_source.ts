// Whether the public source of a captured payload has published it just so.
import { type Carried, carried } from '../bundle/bundle_parts.ts'
import { isJsonObject, type JsonObject } from '../json_value.ts'
import type { Lookup, Lookups } from '../lookups.ts'
import { integerOf, momentOf, textOf } from './carried_values.ts'
import { fail, pass, skip, unconfirmed, type Verdict } from './finding.ts'
import type { EntropyName } from './witness_facts.ts'

/** Asks the source and compares: `found` says whether what it has agrees with the payload. */
export type EntropyQuestion = (lookups: Lookups) => Promise<Lookup<boolean>>

/** Undefined when the payload lacks what the request needs. `stellarNetwork` is where ledgers are looked up. */
export function entropyQuestion(
  name: EntropyName,
  payload: Carried,
  stellarNetwork: string,
): EntropyQuestion | undefined {
  if (!isJsonObject(payload)) return undefined
  switch (name) {
    case 'entropy_nist':
      return pulseQuestion(payload)
    case 'entropy_stellar':
      return ledgerQuestion(payload, stellarNetwork)
    case 'entropy_bitcoin':
      return blockQuestion(payload)
    default:
      return name satisfies never
  }
}

export async function confirmEntropy(
  lookups: Lookups | undefined,
  name: EntropyName,
  question: EntropyQuestion | undefined,
): Promise<Verdict> {
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

function pulseQuestion(payload: JsonObject): EntropyQuestion | undefined {
  const pulse = carried(payload, 'pulse')
  if (!isJsonObject(pulse)) return undefined
  const chainIndex = countOf(carried(pulse, 'chainIndex'))
  const pulseIndex = countOf(carried(pulse, 'pulseIndex'))
  if (chainIndex === undefined || pulseIndex === undefined) return undefined
  return async (lookups) =>
    compared(
      await lookups.nistPulse(chainIndex, pulseIndex),
      (found) =>
        isNumbered(found.chainIndex, chainIndex) &&
        isNumbered(found.pulseIndex, pulseIndex) &&
        sameIgnoringCase(found.outputValue, carried(pulse, 'outputValue')) &&
        sameMoment(found.timeStamp, carried(pulse, 'timeStamp')),
    )
}

function ledgerQuestion(payload: JsonObject, network: string): EntropyQuestion | undefined {
  const sequence = countOf(carried(payload, 'sequence'))
  if (sequence === undefined) return undefined
  return async (lookups) =>
    compared(
      await lookups.stellarLedger(network, sequence),
      (found) =>
        isNumbered(found.sequence, sequence) &&
        sameIgnoringCase(found.hash, carried(payload, 'hash')) &&
        sameMoment(found.closed_at, carried(payload, 'closed_at')),
    )
}

/** Always of the main network. */
function blockQuestion(payload: JsonObject): EntropyQuestion | undefined {
  const hash = textOf(carried(payload, 'hash'))?.toLowerCase()
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  const height = carried(payload, 'height')
  const time = carried(payload, 'time')
  return async (lookups) =>
    compared(
      await lookups.bitcoinBlock('mainnet', hash),
      (found) =>
        found.id === hash &&
        (height === undefined || height === found.height) &&
        (time === undefined || time === found.timestamp),
    )
}

function compared<T>(answer: Lookup<T>, agrees: (found: T) => boolean): Lookup<boolean> {
  return answer.outcome === 'found' ? { outcome: 'found', value: agrees(answer.value) } : answer
}

/** An answer about another number is about something else; one that tells no number is known by its hash or output. */
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
