// Which service a command is about, and with which credential it is asked. What the person types goes before the environment,
// and that before the profiles. A credential goes to the origin that it belongs to and nowhere else.
import { type Surroundings, textOption } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { type Credential, keptSecret, keyCredential, placeWords, SignInCredential } from './credential.ts'
import { originOf, type Profiles, readProfiles, type SecretPlace } from './profiles.ts'
import { isKeyText, type Secret } from './secret.ts'

const USUAL_ADDRESS = 'http://localhost:4000'

export interface Choice {
  readonly profiles: Profiles
  /** The profile that was named, or else the current one, whether there is one of this name or not. */
  readonly profile: string
  readonly isNamed: boolean
  /** Undefined when nothing says which service is meant. */
  readonly origin: string | undefined
}

/** @throws Complaint for what is not the address of a service */
export async function choose({ env, values }: Surroundings): Promise<Choice> {
  const profiles = await readProfiles(env)
  const typed = textOption(values, 'profile')
  const named = typed ?? (env.PHAROS_PROFILE || undefined)
  const profile = named ?? profiles.current
  const ofProfile = profiles.byName.get(profile)?.origin
  const ofEnvironment = env.PHAROS_URL || undefined
  const [first, second] = typed === undefined ? [ofEnvironment, ofProfile] : [ofProfile, ofEnvironment]
  const address = textOption(values, 'url') ?? first ?? second
  const origin = address === undefined ? undefined : requiredOrigin(address)
  return { profiles, profile, isNamed: named !== undefined, origin }
}

/** The same where a service has to be meant: without a word it is the one that usually runs on this computer. */
export const withOrigin = (choice: Choice): Choice & { readonly origin: string } => ({
  ...choice,
  origin: choice.origin ?? USUAL_ADDRESS,
})

/** @throws Complaint when a profile was named that does not exist */
export function requireProfile({ self }: Surroundings, { profiles, profile, isNamed }: Choice): void {
  if (isNamed && !profiles.byName.has(profile))
    throw new Complaint(`There is no profile ${profile}.`, { advice: `${self} profile ls lists them.` })
}

/** @throws Complaint for what is not the address of a service */
export function requiredOrigin(address: string): string {
  const origin = originOf(address)
  if (origin !== undefined) return origin
  throw new Complaint(`${address} is not the address of a service.`, {
    advice: 'Such as --url https://pharos.example',
  })
}

interface Found {
  readonly secret: Secret
  /** Undefined for the key of the environment. */
  readonly kept: { readonly profile: string; readonly place: SecretPlace } | undefined
  /** Where the secret lies, for people. */
  readonly placeWords: string
}

/**
 * The secret for a service: the key of the environment, or else that of a profile that is signed in at this very service,
 * which is the chosen one, or any when none was named. Undefined when there is none.
 * @throws Complaint for a key that cannot be one, and when a store does not answer or has lost what it was given
 */
export async function findSecret(
  { env, self }: Surroundings,
  choice: Choice,
  origin: string,
): Promise<Found | undefined> {
  const key = environmentKey(env, choice, origin)
  if (key !== undefined)
    return {
      secret: { origin, kind: 'api_key', key },
      kept: undefined,
      placeWords: 'PHAROS_API_KEY of the environment',
    }
  const { profiles, profile: chosen, isNamed } = choice
  for (const profile of isNamed ? [chosen] : [chosen, ...profiles.byName.keys()]) {
    const held = profiles.byName.get(profile)
    if (held?.origin !== origin || held.secret === undefined) continue
    const place = held.secret
    const secret = await keptSecret(env, { origin, place })
    if (secret !== undefined) return { secret, kept: { profile, place }, placeWords: placeWords(env, place) }
    throw new Complaint(`What ${profile} signs in with is gone from ${placeWords(env, place)}.`, {
      exitCode: 4,
      advice: signInAgain(self, profile),
    })
  }
  return undefined
}

const signInAgain = (self: string, profile: string): string =>
  `Sign in again: ${self} login --profile ${profile}`

/**
 * The API key of the environment, when it is for this service: that of PHAROS_URL, or else the chosen one. Undefined for
 * every other one.
 */
function environmentKey(
  { PHAROS_API_KEY: key = '', PHAROS_URL: address = '' }: NodeJS.ProcessEnv,
  { origin: chosen }: Choice,
  origin: string,
): string | undefined {
  if (key === '' || origin !== (address === '' ? chosen : originOf(address))) return undefined
  if (isKeyText(key)) return key
  throw new Complaint('PHAROS_API_KEY holds no API key.', { exitCode: 4 })
}

/** Undefined when there is no secret for this service. @throws Complaint as `findSecret` does */
export async function credentialFor(
  surroundings: Surroundings,
  choice: Choice,
  origin: string,
): Promise<Credential | undefined> {
  const found = await findSecret(surroundings, choice, origin)
  if (found === undefined) return undefined
  const { secret, kept } = found
  if (secret.kind === 'api_key') return keyCredential(secret.key)
  if (kept === undefined) return undefined
  const { env, self } = surroundings
  const advice = signInAgain(self, kept.profile)
  return new SignInCredential({ env, origin, place: kept.place, advice }, secret.tokens)
}
