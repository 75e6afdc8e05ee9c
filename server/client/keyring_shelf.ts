// Keyrings stored on this computer, one file per service, so that a proof can be checked after its service is
// gone.
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type KeyringKey, KeyringRejected, readKeyring } from '../../shared/proof/verify/keyring.ts'
import { Complaint, codeOf, wordsOf } from './terminal.ts'

interface RememberedKeyring {
  /** Host and port of the service, e.g. `localhost:4000`. */
  readonly name: string
  readonly keys: readonly KeyringKey[]
  readonly path: string
  readonly rememberedAt: Date
}

export const shelfFolder = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'pharos', 'keyrings')

/**
 * Sorted by name.
 * @throws Complaint for a file that is not a keyring, because skipping it would look like an unknown key
 */
export const rememberedKeyrings = (folder: string): Promise<RememberedKeyring[]> =>
  onShelf(folder, async () => {
    const files = (await readdir(folder).catch(noFolder)).filter((file) => file.endsWith('.json')).sort()
    return Promise.all(
      files.map(async (file) => {
        const path = join(folder, file)
        const [text, { mtime }] = await Promise.all([readFile(path), stat(path)])
        return { name: nameOf(file), keys: readKeys(text, path), path, rememberedAt: mtime }
      }),
    )
  })

/**
 * Stores the document under the name. A service only ever adds keys. A missing or changed key means another
 * service, or a replaced one, and a person must decide.
 * @throws Complaint in that case
 */
export function rememberKeyring(folder: string, name: string, document: string): Promise<string> {
  const keys = readKeys(document, `The keyring of ${name}`)
  const path = join(folder, fileOf(name))
  return onShelf(folder, async () => {
    const held = await readFile(path).catch(noFile)
    if (held !== undefined) refuseLoss(name, readKeys(held, path), keys)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const fresh = `${path}.${process.pid}.new`
    await writeFile(fresh, document, { mode: 0o600 })
    await rename(fresh, path)
    return path
  })
}

/** True when the keyring existed. */
export const forgetKeyring = (folder: string, name: string): Promise<boolean> =>
  onShelf(folder, async () => {
    const path = join(folder, fileOf(name))
    const there = (await readFile(path).catch(noFile)) !== undefined
    await rm(path, { force: true })
    return there
  })

/** @throws Complaint */
export function readKeys(document: string | Uint8Array, what: string): readonly KeyringKey[] {
  try {
    return readKeyring(document)
  } catch (error) {
    if (!(error instanceof KeyringRejected)) throw error
    throw new Complaint(`${what} is not a keyring: ${error.message}.`, {
      advice: 'A keyring is the document a service publishes at /.well-known/keyring.json.',
    })
  }
}

function refuseLoss(name: string, held: readonly KeyringKey[], fresh: readonly KeyringKey[]): void {
  const lost = held.find(
    ({ key_id, public_key }) => !fresh.some((key) => key.key_id === key_id && key.public_key === public_key),
  )
  if (lost !== undefined)
    throw new Complaint(`${name} does not know its own key ${lost.key_id} any more.`, {
      exitCode: 1,
      advice: `A service never drops a key: this may be another service at the same address. If you know that it was replaced, forget the old one first: pharos keyring remove ${name}`,
    })
}

/** Turns errors of the file system into complaints, because only the person can solve them. */
async function onShelf<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    throw new Complaint(`The keyrings in ${folder} cannot be read or kept: ${wordsOf(error)}.`)
  }
}

/** Percent-encoded, so that a name cannot lead out of the folder. */
const fileOf = (name: string): string => `${encodeURIComponent(name)}.json`
const nameOf = (file: string): string => {
  const name = file.slice(0, -'.json'.length)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const noFolder = (error: unknown): string[] => {
  if (codeOf(error) === 'ENOENT') return []
  throw error
}

const noFile = (error: unknown): undefined => {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
