// The master key that the embedded database's data folder keeps, and how to change it without losing it.
// The database decides which key is in force: the key that opens the signing keys. A change writes the new key to its
// own file, waits for the disk, commits the keys sealed under it, and only then replaces the old file. A crash in
// between leaves both files, and the next start keeps the one that opens.
import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { opensSeed, SEALED_SEED, type SealedSeed } from '../domain/ledger/signing_key.ts'
import { masterKey } from '../kernel/sealed.ts'
import type { DataFolder } from '../store/embedded/data_folder.ts'
import { renameDurably, syncFolder, writeDurably } from '../store/embedded/durable_file.ts'

const FILE = 'master_key'
const KEY_BYTES = 32
/** The name contains a part of the key, so that two changes never write to the same file. */
const nextFile = (key: Uint8Array): string =>
  `${FILE}.next.${createHash('sha256').update(key).digest('hex').slice(0, 16)}`

/**
 * First completes a change that was interrupted. Makes a new key only while nothing is sealed, because a new key
 * opens no sealed data. Safe because the caller holds the folder's lock.
 * @throws an Error that says what to do, when something is sealed and no file opens it
 */
export async function openMasterKey(
  folder: Pick<DataFolder, 'path' | 'readSecret'>,
  url: string,
): Promise<Buffer> {
  const sealed = await sealedSeed(url)
  if (sealed === undefined || (await keyFiles(folder.path)).includes(FILE))
    await folder.readSecret(FILE, newKey)
  const found = await thatOpens(folder.path, sealed)
  const left = (await keyFiles(folder.path)).filter((file) => file !== FILE)
  if (left.length === 0) return found.key
  if (found.file !== FILE) await renameDurably(join(folder.path, found.file), join(folder.path, FILE))
  for (const file of left) await rm(join(folder.path, file), { force: true })
  await syncFolder(folder.path)
  return found.key
}

/**
 * The key in force, for a command beside the running server. Writes nothing. @throws when no file opens the signing
 * keys
 */
export const findMasterKey = async (path: string, url: string): Promise<{ file: string; key: Buffer }> =>
  thatOpens(path, await sealedSeed(url))

async function thatOpens(
  path: string,
  sealed: SealedSeed | undefined,
): Promise<{ file: string; key: Buffer }> {
  for (const file of await keyFiles(path)) {
    const key = Buffer.from((await readFile(join(path, file), 'utf8')).trim(), 'hex')
    if (key.length === KEY_BYTES && (sealed === undefined || opensSeed(masterKey(key), sealed)))
      return { file, key }
  }
  throw new Error(
    sealed === undefined
      ? `The file ${join(path, FILE)} holds no master key (64 hex characters), and nothing is sealed yet: remove it, and the next start makes one.`
      : `No ${FILE} in ${path} opens the signing keys of the ledger there. Nothing was started, and no new key was made. ` +
          `Put your copy of ${join(path, FILE)} back, set MASTER_KEY to what it held, or set DATA_DIR to another folder to begin anew.`,
  )
}

/**
 * @param rewrap seals everything under the new key, all or nothing. When it fails, both key files stay: only the next
 * start can find out whether an unacknowledged commit took place.
 */
export async function changeMasterKey<T>(path: string, to: Uint8Array, rewrap: () => Promise<T>): Promise<T> {
  const next = join(path, nextFile(to))
  await writeDurably(next, `${Buffer.from(to).toString('hex')}\n`, 0o600)
  await syncFolder(path)
  // Commit point: from here on only the new key opens.
  const outcome = await rewrap()
  await renameDurably(next, join(path, FILE))
  return outcome
}

const newKey = (): string => randomBytes(32).toString('hex')

/** The key file in force comes first, unless a change was interrupted after its commit. */
const keyFiles = async (path: string): Promise<string[]> =>
  (await readdir(path)).filter((name) => name === FILE || name.startsWith(`${FILE}.next.`)).toSorted()

/** Undefined in a database without a ledger. */
async function sealedSeed(url: string): Promise<SealedSeed | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 10_000,
    application_name: 'pharos master key',
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('signing_keys') IS NOT NULL AS there`,
    )
    if (rows[0]?.there !== true) return undefined
    const found = await client.query<SealedSeed>(SEALED_SEED)
    return found.rows[0]
  } finally {
    await client.end()
  }
}
