// The operator command that makes a data folder from a backup.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { textOption } from '../../shared/cli/command.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { opensSeed } from '../domain/ledger/signing_key.ts'
import { type MasterKey, masterKey } from '../kernel/sealed.ts'
import { type BackupManifest, checkBackup, readManifest } from '../store/embedded/backup_folder.ts'
import { openDataFolder } from '../store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../store/embedded/postgres_process.ts'
import { withSession } from '../store/embedded/prepare_cluster.ts'
import { refuseUsedFolder, restoreCluster } from '../store/embedded/restore_cluster.ts'
import { MIGRATIONS } from '../store/migrations/in_order.ts'
import { type Commands, type Installation, type InstallationCommand, say } from './command.ts'
import { progress } from './long_command.ts'

export const RESTORE_COMMANDS: Commands<InstallationCommand> = {
  restore: {
    usage: '<folder> [--master-key-file <file>]',
    meaning:
      'makes the data folder DATA_DIR, which must be empty, from a backup; needs the master key: MASTER_KEY, or a copy of the file master_key, which is then kept in the data folder',
    options: { 'master-key-file': { type: 'string' } },
    words: 1,
    runOn: async (installation, values, [named]) => {
      if (installation.databaseIsNamed) throw new Error(NOT_OURS)
      if (named === undefined) throw new Complaint('Say which backup to restore.')
      await refuseUsedFolder(installation.dataDir)
      const from = resolve(named)
      const manifest = await readManifest(from)
      checkVersion(manifest)
      const { key, kept } = await givenKey(installation, textOption(values, 'master-key-file'), manifest)
      const ofBytes = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0)
      await checkBackup(from, manifest, progress(installation.tell, { doing: 'checked', of: () => ofBytes }))
      const restored = await restore(installation, { from, manifest, key, kept, ofBytes })
      say(
        `${resolve(installation.dataDir)} is restored to height ${restored.height} (${restored.hash}), made ${restored.time}; its head verifies.`,
        'Blocks that were made after it are lost, and items submitted after it as well. Clients that were shown such a block are told chain.replaced.',
        'If there were any, nothing may be signed in their place: a server makes no block on it that has a folder signed_checkpoints of before. Copy that from the lost data folder, or from any other server of the ledger.',
      )
      return say(
        kept === undefined
          ? 'Start the server with the same MASTER_KEY. To recompute the whole ledger: npm run audit'
          : 'Start the server. To recompute the whole ledger: npm run audit',
      )
    },
  },
}

const NOT_OURS =
  'DATABASE_URL is set, and restore makes an embedded database. Restore the other one with what backed it up (e.g. ' +
  'pg_restore, or the snapshots of its provider), or unset DATABASE_URL. Nothing was done.'

function checkVersion({ schema, product_version }: BackupManifest): void {
  if (MIGRATIONS.some(({ name }) => name === schema.name)) return
  throw new Error(
    `The backup was made by Pharos ${product_version}, whose schema (${schema.name}) this Pharos does not know. Restore it ` +
      `with Pharos ${product_version} or a later one. Nothing was restored.`,
  )
}

const readKeyFile = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The file of --master-key-file cannot be read: ${cause.message}. Nothing was restored.`, {
      cause,
    })
  })

/** @throws an Error when there is no key, or not the one that this backup is sealed by */
async function givenKey(
  { masterKey: set }: Installation,
  file: string | undefined,
  { master_key: { fingerprint, key_id, sealed_seed } }: BackupManifest,
): Promise<{ key: MasterKey /** As a data folder keeps it. */; kept: string | undefined }> {
  const kept = file === undefined ? undefined : (await readKeyFile(file)).trim().toLowerCase()
  if (kept !== undefined && !/^[0-9a-f]{64}$/.test(kept))
    throw new Error(`The file ${file} holds no master key (64 hex characters).`)
  const bytes = kept === undefined ? set : Buffer.from(kept, 'hex')
  if (bytes === undefined)
    throw new Error(
      `This backup is sealed by the master key with the fingerprint ${fingerprint}, which is in no backup. Set MASTER_KEY ` +
        'to it, or name a copy of the file master_key: --master-key-file <file>. Nothing was restored.',
    )
  const key = masterKey(bytes)
  const sealed = { key_id: Buffer.from(key_id, 'hex'), sealed_seed: Buffer.from(sealed_seed, 'hex') }
  if (opensSeed(key, sealed)) return { key, kept }
  throw new Error(
    `The master key does not open this backup: its fingerprint is ${key.fingerprint}, and the backup is sealed by the ` +
      `one with ${fingerprint}. Nothing was restored.`,
  )
}

interface Restored {
  readonly height: number
  readonly hash: string
  readonly time: string
}

/** Until the last step a server refuses to start on the data folder, and another restore begins anew. */
async function restore(
  { dataDir, tell, prepare }: Installation,
  {
    from,
    manifest,
    key,
    kept,
    ofBytes,
  }: { from: string; manifest: BackupManifest; key: MasterKey; kept: string | undefined; ofBytes: number },
): Promise<Restored> {
  const folder = await openDataFolder(dataDir)
  try {
    const onProgress = progress(tell, { doing: 'restored', of: () => ofBytes })
    const { finish } = await restoreCluster({ folder, from, manifest, tell, onProgress })
    if (kept !== undefined) await folder.readSecret('master_key', () => kept)
    const postgres = await startEmbeddedPostgres({ folder, log: tell })
    try {
      await prepare({ url: postgres.url, masterKey: key })
      const restored = await headOf(postgres.url, manifest.head)
      await finish()
      return restored
    } finally {
      await postgres.stop()
    }
  } finally {
    await folder.release()
  }
}

/** @throws an Error when the ledger does not hold the block that the backup named */
async function headOf(url: string, { height, hash }: BackupManifest['head']): Promise<Restored> {
  const { rows } = await withSession(url, (session) =>
    session.query<Restored>(
      `SELECT height, encode(block_hash, 'hex') AS hash, iso_time(finalized_at) AS time FROM blocks
        WHERE height = $1 OR height = (SELECT max(height) FROM blocks) ORDER BY height`,
      [height],
    ),
  )
  const [named, head] = [rows[0], rows.at(-1)]
  if (named?.height !== height || named.hash !== hash || head === undefined)
    throw new Error(`The restored ledger lacks block ${height} (${hash}). Use another backup.`)
  return head
}
