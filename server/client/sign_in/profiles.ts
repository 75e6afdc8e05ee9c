// The services that a person uses, by names of the person's own: where each is, whose log it keeps, and where the secret for
// it lies. They stand in config.json, which holds no secret.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Complaint } from '../../../shared/cli/terminal.ts'
import { isJsonObject, type JsonValue, memberAt, textAt } from '../../../shared/proof/json_value.ts'
import { configFolder, readKept, writeKept } from '../files.ts'
import { inTurn } from '../turn.ts'
import { isStoreName, type StoreName } from './secret_store.ts'

interface Profile {
  /** Scheme, host and port of the service, e.g. `https://pharos.example`. */
  readonly origin: string
  /** The verifier key of its log, as the service showed it at the first sign-in. */
  readonly logKey: string | undefined
  /** Undefined when nobody is signed in. */
  readonly secret: SecretPlace | undefined
}

export interface SecretPlace {
  readonly store: StoreName
  readonly id: string
}

export interface Profiles {
  readonly current: string
  readonly byName: ReadonlyMap<string, Profile>
}

const USUAL_PROFILE = 'default'

export const isProfileName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name)

/** Nobody else has it, in this folder or another one, so no sign-in overwrites the secret of another. */
export const newSecretId = (): string => randomBytes(16).toString('hex')

const fileIn = (env: NodeJS.ProcessEnv): string => join(configFolder(env), 'config.json')

/** @throws Complaint when the file is something else */
export async function readProfiles(env: NodeJS.ProcessEnv): Promise<Profiles> {
  const path = fileIn(env)
  const strange = new Complaint(`${path} holds no profiles that can be read here.`, {
    advice: 'Correct it, or move it away and sign in anew.',
  })
  return (await readKept(path, profilesIn, strange)) ?? { current: USUAL_PROFILE, byName: new Map() }
}

/** The keys of the logs that the person's own services have shown. @throws Complaint as `readProfiles` does */
export const ownLogKeys = async (
  env: NodeJS.ProcessEnv,
): Promise<readonly { readonly origin: string; readonly key: string }[]> =>
  [...(await readProfiles(env)).byName.values()].flatMap(({ origin, logKey: key }) =>
    key === undefined ? [] : [{ origin, key }],
  )

/**
 * Returns them as they were before. Changes of several commands at once come one after the other.
 * @throws Complaint when the file is something else or cannot be written
 */
export const changeProfiles = (
  env: NodeJS.ProcessEnv,
  change: (profiles: Profiles) => Profiles,
): Promise<Profiles> => {
  const path = fileIn(env)
  return inTurn(`${path}.turn`, async () => {
    const before = await readProfiles(env)
    await writeKept(path, textOf(change(before)))
    return before
  })
}

/** A change of one of them, which may be new. */
export const withProfile = ({ current, byName }: Profiles, name: string, profile: Profile): Profiles => ({
  current,
  byName: new Map([...byName, [name, profile]]),
})

const textOf = ({ current, byName }: Profiles): string => {
  const profiles = [...byName].map(([name, { origin, logKey, secret }]) => [
    name,
    { url: origin, log_key: logKey, secret },
  ])
  return `${JSON.stringify({ version: 1, current, profiles: Object.fromEntries(profiles) }, null, 2)}\n`
}

function profilesIn(document: JsonValue): Profiles | undefined {
  const members = memberAt(document, 'profiles')
  const current = textAt(document, 'current')
  if (memberAt(document, 'version') !== 1 || current === undefined || !isJsonObject(members)) return undefined
  const byName = new Map<string, Profile>()
  for (const [name, value] of Object.entries(members)) {
    const profile = profileIn(value)
    if (!isProfileName(name) || profile === undefined) return undefined
    byName.set(name, profile)
  }
  return { current, byName }
}

function profileIn(value: JsonValue): Profile | undefined {
  const origin = originOf(textAt(value, 'url') ?? '')
  const secret = memberAt(value, 'secret')
  const store = textAt(secret, 'store') ?? ''
  const id = textAt(secret, 'id') ?? ''
  if (origin === undefined) return undefined
  const logKey = textAt(value, 'log_key')
  if (secret === undefined) return { origin, logKey, secret: undefined }
  // It becomes a part of the name of a file.
  return isStoreName(store) && /^[0-9a-f]{32}$/.test(id)
    ? { origin, logKey, secret: { store, id } }
    : undefined
}

/** Undefined for what is not the address of a service. */
export const originOf = (address: string): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin : undefined
}
