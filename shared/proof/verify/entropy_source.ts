// Checks that the public source published exactly the captured payload.
import type { Carried } from '../bundle/bundle_parts.ts'
import type { EntropyQuestion } from '../entropy/entropy_question.ts'
import { ENTROPY_READERS } from '../entropy/entropy_readers.ts'
import type { EntropyName } from '../entropy_names.ts'
import { isJsonObject } from '../json_value.ts'
import type { Lookups } from '../lookups/lookup.ts'
import { type CheckVerdict, fail, pass, skip, unconfirmed } from './report.ts'

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
