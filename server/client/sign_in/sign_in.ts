// Puts a secret where it is to lie, makes the profile lead to it, and ends what was there before; and the way back.
import type { Surroundings } from '../../../shared/cli/command.ts'
import { asComplaint, Complaint, printable } from '../../../shared/cli/terminal.ts'
import { POLICY_CEILINGS, readPolicy } from '../../../shared/log/log_policy.ts'
import { writeVerifierKey } from '../../../shared/log/verifier_key.ts'
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { answerFrom, type Service, serviceWith } from '../ask/ask_service.ts'
import type { Choice } from './choice.ts'
import { keepSecret, keptSecret, keyCredential } from './credential.ts'
import { revokeTokens } from './oauth_requests.ts'
import { changeProfiles, isProfileName, newSecretId, type SecretPlace, withProfile } from './profiles.ts'
import type { Secret } from './secret.ts'
import { SYSTEM_STORE, secretStore } from './secret_store.ts'
import { type Account, accountOf } from './whoami.ts'

/**
 * The profile that a sign-in is for: the one that was named, or one of this service, or the current one.
 * @throws Complaint when that is of another service
 */
export function profileFor(
  { self }: Surroundings,
  { profiles, profile, isNamed }: Choice,
  origin: string,
): string {
  if (!isProfileName(profile))
    throw new Complaint(`${profile} is no name for a profile: letters, digits, dots, dashes, 64 at most.`)
  const { byName } = profiles
  const held = byName.get(profile)
  if (held === undefined || held.origin === origin) return profile
  const other = isNamed ? undefined : [...byName].find(([, one]) => one.origin === origin)
  if (other !== undefined) return other[0]
  throw new Complaint(`The profile ${profile} is for ${held.origin}.`, {
    advice: `Choose another name for this one: ${self} login --url ${origin} --profile <name>`,
  })
}

/**
 * Where the secret is to lie. A store that does not answer is found out before anybody signs in.
 * @throws Complaint when there is none, and files were not allowed
 */
export async function storeFor({ env, terminal, values }: Surroundings): Promise<SecretPlace> {
  const id = newSecretId()
  if (values['insecure-storage'] === true) {
    const store = secretStore(env, 'file')
    terminal.note(`! The secret will lie in ${store.placeOf(id)}, for whoever can read your files.`)
    return { store: 'file', id }
  }
  const read = secretStore(env, SYSTEM_STORE).read(id)
  await read.catch((error: unknown) => {
    throw new Complaint(`Nothing was kept. ${asComplaint(error).message}`, {
      advice:
        'With --insecure-storage it is kept in a file that only your account may read. PHAROS_API_KEY in the environment needs no store.',
    })
  })
  return { store: SYSTEM_STORE, id }
}

/**
 * Makes sure that the service accepts the secret, and returns whose it is.
 *
 * Commit point: the profile leads to the new secret. What was kept before is revoked and removed after that.
 * @throws Complaint when it cannot be kept; nothing is left of it then
 */
export async function keepSignIn(
  surroundings: Surroundings,
  { name, place, secret }: { readonly name: string; readonly place: SecretPlace; readonly secret: Secret },
): Promise<Account> {
  const { env, terminal } = surroundings
  const kept = async () => {
    const service = askedWith(surroundings, secret)
    const account = await accountOf(service)
    const shown = await shownLogKey(service)
    await keepSecret(env, place, secret)
    const { byName } = await changeProfiles(env, (profiles) => {
      const held = profiles.byName.get(name)
      const logKey = held?.logKey ?? shown
      const changed = withProfile(profiles, name, { origin: secret.origin, logKey, secret: place })
      return held === undefined ? { ...changed, current: name } : changed
    })
    return { account, before: byName.get(name), shown }
  }
  const { account, before, shown } = await kept().catch(async (error: unknown) => {
    // No sign-in is left behind that nobody can end.
    await revoke(secret)
    await secretStore(env, place.store)
      .remove(place.id)
      .catch(() => undefined)
    throw error
  })
  if (before?.logKey !== undefined && shown !== undefined && shown !== before.logKey)
    terminal.note(`! The log of ${secret.origin} shows another key than before: ${printable(shown)}`)
  if (before?.secret !== undefined)
    await endSignIn(surroundings, { origin: before.origin, place: before.secret }).catch((error: unknown) =>
      terminal.note(`! The sign-in from before could not be ended: ${asComplaint(error).message}`),
    )
  return account
}

const askedWith = (surroundings: Surroundings, secret: Secret): Service => {
  const url = new URL(secret.origin)
  const text = secret.kind === 'api_key' ? secret.key : secret.tokens.access_token
  return serviceWith(surroundings, url, keyCredential(text))
}

/** Undefined where the service shows no log. */
async function shownLogKey(service: Service): Promise<string | undefined> {
  const question = { headers: { accept: '*/*' }, ceilings: { bytes: POLICY_CEILINGS.bytes } }
  const { status, bytes } = await answerFrom(service, '/log/policy', question)
  const policy = status === 200 ? readOrUndefined(() => readPolicy(bytes)) : undefined
  const [log] = policy?.logs ?? []
  return log && writeVerifierKey(log.key)
}

/** What became of it: a key goes on elsewhere, and so does a sign-in that the service could not be told about. */
export type Ended = 'revoked' | 'key_goes_on' | 'not_told' | 'was_gone'

/** Removes the secret from its store, whether the service can be told or not. @throws Complaint when the store does not answer */
export async function endSignIn(
  { env }: Surroundings,
  { origin, place }: { readonly origin: string; readonly place: SecretPlace },
): Promise<Ended> {
  const secret = await keptSecret(env, { origin, place })
  const ended = secret === undefined ? 'was_gone' : await revoke(secret)
  await secretStore(env, place.store).remove(place.id)
  return ended
}

async function revoke(secret: Secret): Promise<Ended> {
  if (secret.kind === 'api_key') return 'key_goes_on'
  const failure = await revokeTokens(secret.origin, secret.tokens).catch(asComplaint)
  return failure === undefined ? 'revoked' : 'not_told'
}
