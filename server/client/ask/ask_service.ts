// Requests to a Pharos service with the credential of the person: refusals become sentences that say what to do.
import { type Surroundings, textOption } from '../../../shared/cli/command.ts'
import { askHttp, type BytesAnswer, type HttpQuestion, isOwnComputer } from '../../../shared/cli/get_bytes.ts'
import { Complaint, type ExitCode, printable } from '../../../shared/cli/terminal.ts'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { ENTROPY_NAMES } from '../../../shared/proof/entropy_names.ts'
import { type JsonValue, memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { choose, credentialFor, requireProfile, withOrigin } from '../sign_in/choice.ts'
import type { Credential } from '../sign_in/credential.ts'

export interface Service {
  readonly url: URL
  /** Undefined where it is asked as anybody may ask it. */
  readonly credential?: Credential | undefined
  /** The team that it is asked for. Undefined for the usual one of the account. */
  readonly tenant?: string | undefined
  /** What to type to be signed in there. */
  readonly signIn?: string
  /** When it is aborted, nobody waits for an answer any more. */
  readonly signal?: AbortSignal
}

/** The options of every command that asks a service. */
export const SERVICE_OPTIONS = {
  url: {
    takes: '<service>',
    meaning: 'its address: PHAROS_URL, else that of the profile in use, else http://localhost:4000',
  },
  tenant: { takes: '<team id>', meaning: 'acts in this team' },
} as const

/**
 * The service that a command is about.
 * @param need whether the command needs a credential, or works without
 * @throws Complaint when there is no valid address, no such profile, or no credential where one is needed
 */
export async function serviceFrom(
  surroundings: Surroundings,
  need: 'needed' | 'optional' = 'needed',
): Promise<Service> {
  const choice = withOrigin(await choose(surroundings))
  requireProfile(surroundings, choice)
  const url = new URL(choice.origin)
  const credential = await credentialFor(surroundings, choice, url.origin)
  if (credential === undefined && need === 'needed')
    throw new Complaint(`You are not signed in at ${url.origin}.`, {
      exitCode: 4,
      advice: signInAdvice(surroundings, url),
    })
  return serviceWith(surroundings, url, credential)
}

/** @throws Complaint for what no header can carry */
function tenantOf({ values }: Surroundings): string | undefined {
  const tenant = textOption(values, 'tenant')
  if (tenant === undefined || /^[\x21-\x7e]+$/.test(tenant)) return tenant
  throw new Complaint(`${tenant} is the id of no team: --tenant takes one.`)
}

/**
 * A service whose address stands somewhere that anybody may have written. Undefined where there is no credential for this
 * very origin: then it is asked without one.
 * @param isMeant whether the usual service is meant where nobody has named one: a key without an address is for that
 * @throws Complaint also when a profile was named that does not exist
 */
export async function ownService(
  surroundings: Surroundings,
  url: URL,
  isMeant: () => Promise<boolean> = async () => true,
): Promise<Service | undefined> {
  const said = await choose(surroundings)
  const choice = said.origin !== undefined || (await isMeant()) ? withOrigin(said) : said
  requireProfile(surroundings, choice)
  const credential = await credentialFor(surroundings, choice, url.origin)
  return credential && serviceWith(surroundings, url, credential)
}

/** Says so where the credential can be read on the way. */
export function serviceWith(
  surroundings: Surroundings,
  url: URL,
  credential: Credential | undefined,
): Service {
  const tenant = tenantOf(surroundings)
  if (credential !== undefined && url.protocol === 'http:' && !isOwnComputer(url.hostname))
    surroundings.terminal.note(
      `! ${url.origin} is not https: whoever is on the way can read what you sign in with.`,
    )
  return { url, credential, tenant, signIn: signInAdvice(surroundings, url) }
}

export const signInAdvice = ({ self }: Pick<Surroundings, 'self'>, { origin }: URL): string =>
  `Sign in: ${self} login --url ${origin}, or put its address and an API key into the environment: export PHAROS_URL=${origin} PHAROS_API_KEY=phk_…`

/**
 * The JSON that is answered.
 * @throws Complaint for every status that is not 2xx
 */
export const askService = async (
  service: Service,
  path: string,
  question?: HttpQuestion,
): Promise<JsonValue> => readAnswer(await askBytes(service, path, question), service.url)

/**
 * The same of a POST.
 * @param isRepeatable whether it may be made twice
 */
export const postTo = (
  service: Service,
  path: string,
  body: object,
  isRepeatable?: boolean,
): Promise<JsonValue> =>
  askService(service, path, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify(body),
    isRepeatable,
  })

/**
 * One request with the credential of the service.
 * @throws Complaint for every status that is not 2xx
 */
export async function askBytes(
  service: Service,
  path: string,
  question: HttpQuestion = {},
): Promise<Uint8Array> {
  const answer = await answerFrom(service, path, question)
  if (answer.status >= 200 && answer.status < 300) return answer.bytes
  throw new ServiceRefused(answer, service)
}

/**
 * One request with the credential of the service, which is renewed when it is refused: then it is asked once more. Any
 * status counts as an answer.
 * @throws NoAnswer, and Complaint for a path that leads to another service, or when the sign-in has ended
 */
export async function answerFrom(
  { url, credential, tenant, signal }: Service,
  path: string,
  question: HttpQuestion = {},
): Promise<BytesAnswer> {
  const target = new URL(path, url)
  // The address of a next page comes from the service, and the credential does not leave with it.
  if (target.origin !== url.origin) throw new Complaint(`${target.origin} is not ${url.origin}.`)
  const ask = (authorization: string | undefined) => {
    const own = { ...(authorization && { authorization }), ...(tenant && { tenant }) }
    return askHttp(target, { signal, ...question, headers: { ...own, ...question.headers } })
  }
  const asked = credential?.authorization
  const answer = await ask(asked)
  if (answer.status !== 401 || asked === undefined || credential?.renew === undefined) return answer
  await credential.renew(asked)
  return ask(credential.authorization)
}

export function readAnswer(bytes: Uint8Array, { origin }: URL): JsonValue {
  const answer = readOrUndefined(() => readStrictJson(bytes))
  if (answer === undefined) throw new Complaint(`${origin} answered something that is not JSON.`)
  return answer
}

/** A service in trouble, one that asks for a pause, and a redirect have said neither yes nor no. */
const exitCodeOf = (status: number): ExitCode => {
  if (status === 401) return 4
  return status < 400 || status === 429 || status >= 500 ? 2 : 1
}

/** The service answered, with another status than 2xx. Its detail comes first. The advice depends on the error code. */
export class ServiceRefused extends Complaint {
  readonly status: number
  /** Such as `subject_not_ready`; the status as text when the answer has none. */
  readonly code: string
  /** Why there is no proof, where the answer to who has no account says only that there is nothing. */
  readonly reason: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor({ status, bytes, retryAfterSeconds }: BytesAnswer, { url, signIn }: Service) {
    const entry = firstError(bytes)
    const detail = printable(textAt(entry, 'detail') ?? textAt(entry, 'title') ?? `It answered ${status}.`)
    const code = textAt(entry, 'code') ?? String(status)
    const reason = status === 404 ? textAt(memberAt(entry, 'meta'), 'reason') : undefined
    const told = reason ?? code
    const wait = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`
    // Without a wait there will be no commitment, and the detail says why.
    const never = told === 'no_external_commitments' && retryAfterSeconds === undefined
    const general = ADVICE.get(told) ?? ADVICE.get(status > 299 && status < 400 ? '3xx' : String(status))
    // A 403 without a code is about the scopes of a sign-in: more can be allowed.
    const isHelped = status === 401 || code === '403'
    const advice = never ? undefined : isHelped && signIn !== undefined ? `${general} ${signIn}` : general
    super(`${url.origin} refused (${printable(told)}): ${detail}`, {
      exitCode: exitCodeOf(status),
      advice: `${advice ?? ''}${wait}`.trim() || undefined,
    })
    this.status = status
    this.code = code
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
  }
}

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
    'No credential was sent, or it was not accepted: it may be mistyped, revoked, or of another service.',
  ],
  ['403', 'What you are signed in with may not do that.'],
  ['3xx', 'Redirects are not followed: name the address itself with --url.'],
  ['404', 'There is nothing of this id and type that you may read.'],
  ['429', 'Too many requests.'],
])

const firstError = (bytes: Uint8Array): JsonValue | undefined => {
  const errors = memberAt(
    readOrUndefined(() => readStrictJson(bytes)),
    'errors',
  )
  return Array.isArray(errors) ? errors[0] : undefined
}
