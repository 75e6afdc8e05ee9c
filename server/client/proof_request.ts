// Builds the proof request from what a person typed. Finds the type from the id when the person gave none.
import { isJsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { isProofType, type ProofType, TYPE_CODES } from '../../shared/proof/signed_payload.ts'
import { isUlid } from '../../shared/proof/ulid.ts'
import type { ProofInput } from '../../shared/verifier/bundle_file.ts'
import { askService, type Service, textAt } from './ask_service.ts'
import { textOption, type Values } from './command.ts'
import { Complaint } from './terminal.ts'

/**
 * Asks the service when the id alone does not show the type.
 * @throws Complaint when the type cannot be found
 */
export async function proofRequest(service: Service, given: string, values: Values): Promise<ProofInput> {
  const options = {
    ...chosen(values, 'format', ['json', 'cbor'] as const),
    ...chosen(values, 'layout', ['published', 'compact'] as const),
    ...witnessesOf(textOption(values, 'witnesses')),
  }
  const type = typeOf(textOption(values, 'type'))
  return { ...(await subjectOf(service, given, type)), ...options }
}

async function subjectOf(service: Service, given: string, type: ProofType | undefined) {
  if (/^[0-9a-f]{64}$/i.test(given)) {
    const beacon = await askService(service, `/api/json/beacons/by-hash/${given.toLowerCase()}`)
    return { id: textAt(beacon, 'id') ?? given, type: type ?? ('beacon' as const) }
  }
  if (type !== undefined) return { id: given, type }
  const upper = given.toUpperCase()
  if (isUlid(upper)) return { id: upper, type: 'item' as const }
  return resolved(service, given)
}

/** Asks the service, because a UUID may belong to a block or to an observation. */
async function resolved(service: Service, given: string) {
  const answer = await askService(service, '/api/json/utilities/resolve-id', { data: { id: given } })
  const result = isJsonObject(answer) ? memberOf(answer, 'result') : undefined
  const matches = isJsonObject(result) ? memberOf(result, 'matches') : undefined
  const types = (Array.isArray(matches) ? matches : []).map((match) => textAt(match, 'proof_type'))
  const type = typeOf(types.find((name) => name !== undefined))
  if (type === undefined)
    throw new Complaint(`${given} is nothing that this service can prove to you.`, {
      exitCode: 1,
      advice: 'Is the id complete, and of this service?',
    })
  return { id: given.toLowerCase(), type }
}

const typeOf = (name: string | undefined): ProofType | undefined => {
  if (name === undefined || isProofType(name)) return name
  throw new Complaint(`--type is one of ${Object.keys(TYPE_CODES).join(', ')}.`)
}

const witnessesOf = (list: string | undefined): { witnesses?: string[] } => {
  if (list === undefined || list === 'all') return {}
  return {
    witnesses:
      list === 'none'
        ? []
        : list
            .split(',')
            .map((name) => name.trim())
            .filter((name) => name !== ''),
  }
}

function chosen<Name extends string, Choice extends string>(
  values: Values,
  name: Name,
  choices: readonly Choice[],
): { [key in Name]?: Choice } {
  const given = textOption(values, name)
  if (given === undefined) return {}
  const choice = choices.find((one) => one === given)
  if (choice === undefined) throw new Complaint(`--${name} is ${choices.join(' or ')}.`)
  const picked: { [key in Name]?: Choice } = {}
  picked[name] = choice
  return picked
}
