// Requests to a Pharos service with the user's API key: refusals become sentences that say what to do, and a proof is
// checked against the keyring of the service.
import { type Surroundings, textOption, type Values } from '../../shared/cli/command.ts'
import { askHttp, type BytesAnswer, type HttpQuestion, isOwnComputer } from '../../shared/cli/get_bytes.ts'
import { Complaint, printable } from '../../shared/cli/terminal.ts'
import { ENTROPY_NAMES } from '../../shared/proof/entropy_names.ts'
import { isJsonObject, type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../shared/proof/strict_json.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { type ProofInput, readAnyBundle } from '../../shared/verifier/read_any_bundle.ts'
import { judgeReport } from '../../shared/verifier/verdict.ts'
import { findKeyring } from './keyring.ts'

/**
 * The API key of the environment, when the address is that of the service that PHAROS_URL says it belongs to. It goes to
 * nobody else. Undefined for every other address, without a key, and without PHAROS_URL.
 */
export function ownCredential({ env, terminal }: Surroundings, url: URL): Service['headers'] | undefined {
  const key = env.PHAROS_API_KEY ?? ''
  const own = env.PHAROS_URL ?? ''
  if (key === '' || !URL.canParse(own) || new URL(own).origin !== url.origin) return undefined
  if (url.protocol === 'http:' && !isOwnComputer(url.hostname))
    terminal.note(`! ${url.origin} is not https: whoever is on the way can read your API key.`)
  return { authorization: `Bearer ${key}` }
}

export interface Service {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

/** The options of every command that asks a service. */
export const SERVICE_OPTIONS = {
  url: { type: 'string' },
  tenant: { type: 'string' },
} as const

/** @throws Complaint when there is no valid address or no key */
export async function serviceFrom({ env, terminal }: Surroundings, values: Values): Promise<Service> {
  const address = textOption(values, 'url') ?? (env.PHAROS_URL || 'http://localhost:4000')
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new Complaint(`${address} is not the address of a service.`, {
      advice: 'Such as --url https://pharos.example',
    })
  const url = new URL(address)
  const key = env.PHAROS_API_KEY ?? ''
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new Complaint('No API key is at hand.', {
      exitCode: 4,
      advice: 'Put it into the environment: export PHAROS_API_KEY=phk_…',
    })
  if (url.protocol === 'http:' && !isOwnComputer(url.hostname))
    terminal.note(`! ${url.origin} is not https: whoever is on the way can read your API key.`)
  const tenant = textOption(values, 'tenant')
  return {
    url,
    headers: { authorization: `Bearer ${key}`, ...(tenant === undefined ? {} : { tenant }) },
  }
}

/**
 * Sends a GET, or a POST when there is a body.
 * @throws Complaint for every status that is not 2xx
 */
export async function askService(service: Service, path: string, body?: object): Promise<JsonValue> {
  const answer = await askBytes(
    service,
    path,
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'content-type': 'application/vnd.api+json' },
          body: JSON.stringify(body),
        },
  )
  return readAnswer(answer, service.url)
}

/**
 * One request with the credential of the service.
 * @throws Complaint for every status that is not 2xx
 */
export async function askBytes(
  { url, headers }: Service,
  path: string,
  question: HttpQuestion = {},
): Promise<Uint8Array> {
  const answer = await askHttp(new URL(path, url), {
    ...question,
    headers: { ...headers, ...question.headers },
  })
  if (answer.status >= 200 && answer.status < 300) return answer.bytes
  throw refusal(answer, url)
}

/**
 * What `proof/generate` answers: a bundle, or CBOR as base64 text.
 * @throws Complaint as `askService` does
 */
export async function generatedProof(service: Service, request: ProofInput): Promise<JsonValue> {
  const answer = await askService(service, '/api/json/proof/generate', { data: { ...request } })
  const result = isJsonObject(answer) ? memberOf(answer, 'result') : undefined
  if (result === undefined)
    throw new Complaint(`${service.url.origin} answered with something else than a proof.`)
  return result
}

export function readAnswer(bytes: Uint8Array, { origin }: URL): JsonValue {
  try {
    return readStrictJson(bytes)
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    throw new Complaint(`${origin} answered something that is not JSON.`)
  }
}

/** The service answered, with another status than 2xx. */
export class ServiceRefused extends Complaint {
  readonly status: number
  /** Such as `subject_not_ready`; the status as text when the answer has none. */
  readonly code: string
  /** Why there is no proof, where the answer to who has no account says only that there is nothing. */
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    { status, retryAfterSeconds }: BytesAnswer,
    {
      code,
      reason,
      message,
      advice,
    }: Pick<ServiceRefused, 'code' | 'reason' | 'message'> & { readonly advice: string },
  ) {
    super(message, { exitCode: status === 401 ? 4 : 1, ...(advice === '' ? {} : { advice }) })
    this.status = status
    this.code = code
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The detail from the service comes first. The advice depends on the error code. */
export function refusal(answer: BytesAnswer, { origin }: URL): ServiceRefused {
  const { status, bytes, retryAfterSeconds } = answer
  const entry = firstError(bytes)
  const detail = printable(textAt(entry, 'detail') ?? textAt(entry, 'title') ?? `It answered ${status}.`)
  const code = textAt(entry, 'code') ?? String(status)
  const meta = isJsonObject(entry) ? memberOf(entry, 'meta') : undefined
  const reason = status === 404 ? textAt(meta, 'reason') : undefined
  const told = reason ?? code
  const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`
  // Without a wait there will be no commitment, and the detail says why.
  const never = told === 'no_external_commitments' && retryAfterSeconds === undefined
  const advice = never ? undefined : (ADVICE.get(told) ?? ADVICE.get(String(status)))
  return new ServiceRefused(answer, {
    code,
    reason,
    message: `${origin} refused (${printable(told)}): ${detail}`,
    advice: `${advice ?? ''}${wait}`.trim(),
  })
}

export const SIGN_IN =
  'Put the address of your service and its key into the environment: export PHAROS_URL=https://… PHAROS_API_KEY=phk_…'

const ADVICE = new Map([
  [
    'no_external_commitments',
    'Its block does not stand on a public chain yet. Wait until the next epoch is committed and confirmed: the item’s proof_available_at is set then.',
  ],
  [
    'subject_not_ready',
    'It is not in a finalized block yet. The proof can be made once that block stands on a public chain.',
  ],
  [
    'subject_not_recomputable',
    'Its data were redacted or no longer make the committed hash. It cannot be proven.',
  ],
  ['invalid_witness', `Witness names: ${['block', ...ENTROPY_NAMES, 'signing_key_event'].join(', ')}.`],
  ['signing_unavailable', 'This passes.'],
  ['lookup_failed', 'This passes.'],
  [
    '401',
    `No API key was sent, or it was not accepted: it may be mistyped, revoked, or of another service. ${SIGN_IN}`,
  ],
  ['403', 'This key may not do that.'],
  ['404', 'There is nothing of this id and type that this key may read.'],
  ['429', 'Too many requests.'],
])

const firstError = (bytes: Uint8Array): JsonValue | undefined => {
  try {
    const body = readStrictJson(bytes)
    const errors = isJsonObject(body) ? memberOf(body, 'errors') : undefined
    return Array.isArray(errors) ? errors[0] : undefined
  } catch {
    return undefined
  }
}

export const textAt = (value: JsonValue | undefined, name: string): string | undefined => {
  const member = isJsonObject(value) ? memberOf(value, name) : undefined
  return typeof member === 'string' ? member : undefined
}

export type CheckedProof = Awaited<ReturnType<typeof checkFetched>>

/** Also says what its validity leaves open. @throws Complaint when it does not verify */
export async function checkFetched({ url }: Service, bytes: Uint8Array) {
  const keyring = await findKeyring(url.origin)
  const read = readAnyBundle(bytes)
  const judgement = judgeReport(read, await verifyBundle(read, { keyrings: [keyring] }), [keyring])
  if (judgement.verdict !== 'valid')
    throw new Complaint(`${url.origin} sent a proof that does not verify. ${judgement.sentence}`, {
      exitCode: 1,
    })
  return { read, keyring, reservations: judgement.reservations }
}
