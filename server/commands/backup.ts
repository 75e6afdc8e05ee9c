// The operator commands that copy the embedded database, and make a data folder from such a backup.
import { resolve, sep } from 'node:path'
import { textOption } from '../../shared/cli/command.ts'
import { Interrupted, interruptible } from '../../shared/cli/interrupt.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { opensSeed } from '../domain/ledger/signing_key.ts'
import { type MasterKey, masterKey } from '../kernel/sealed.ts'
import {
  type BackupManifest,
  type BackupWanted,
  checkBackup,
  readManifest,
  writeBackup,
} from '../store/embedded/backup_folder.ts'
import { openDataFolder } from '../store/embedded/data_folder.ts'
import { startEmbeddedPostgres } from '../store/embedded/postgres_process.ts'
import { refuseUsedFolder, restoreCluster } from '../store/embedded/restore_cluster.ts'
import { MIGRATIONS } from '../store/migrations/in_order.ts'
import { withSession } from '../store/session.ts'
import { type Commands, type Installation, type InstallationCommand, inMb, progress, say } from './command.ts'
import { MASTER_KEY_FILE, readMasterKey } from './master_key_file.ts'

export const BACKUP_COMMANDS: Commands<InstallationCommand> = {
  backup: {
    usage: '<folder>',
    meaning:
      'copies the embedded database, while the service runs, to a new folder that restore reads; the master key is never in it: keep a copy of that elsewhere',
    options: {},
    words: 1,
    existing: true,
    runOn: async (installation, _, [named]) => {
      const { dataDir, tell, version } = installation
      if (installation.databaseIsNamed) throw new Error(NOT_OURS)
      if (named === undefined) throw new Complaint('Say which folder to make.')
      const folder = resolve(named)
      if (`${folder}${sep}`.startsWith(`${resolve(dataDir)}${sep}`))
        throw new Error('A backup within the data folder would be lost with it. Name a folder elsewhere.')
      return interruptible(
        new Interrupted('The backup was stopped. Nothing is left of it.'),
        async (stopped) => {
          const began = performance.now()
          const database = await installation.reach()
          try {
            const made = await copy(database, { folder, tell, version, stopped })
            const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0)
            say(
              `Backup ${folder} holds everything up to ${made.ended_at}: height ${made.head.height} (${made.head.hash}), ${inMb(bytes)}, made in ${Math.ceil((performance.now() - began) / 1_000)} s.`,
            )
            return say(
              installation.masterKey === undefined
                ? `It cannot be restored without the master key (fingerprint ${made.master_key.fingerprint}), which is not in it. Keep a copy of ${resolve(dataDir, 'master_key')} elsewhere.`
                : `It cannot be restored without MASTER_KEY (fingerprint ${made.master_key.fingerprint}), which is not in it. Keep a copy of that elsewhere.`,
            )
          } finally {
            await database.close()
          }
        },
      )
    },
  },
  restore: {
    usage: '<folder> [--master-key-file <file>]',
    meaning:
      'makes the data folder DATA_DIR, which must be empty, from a backup; needs the master key: MASTER_KEY, or a copy of the file master_key, which is then kept in the data folder',
    options: {
      [MASTER_KEY_FILE]: {
        takes: '<file>',
        meaning: 'a copy of the file master_key, where MASTER_KEY is not set; - is standard input',
      },
    },
    words: 1,
    runOn: async (installation, values, [named]) => {
      if (installation.databaseIsNamed) throw new Error(NOT_EMBEDDED)
      if (named === undefined) throw new Complaint('Say which backup to restore.')
      await refuseUsedFolder(installation.dataDir)
      const from = resolve(named)
      const manifest = await readManifest(from)
      checkVersion(manifest)
      const { key, kept } = await givenKey(installation, textOption(values, MASTER_KEY_FILE), manifest)
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
  'The database of DATABASE_URL is not run by Pharos, so it is backed up with what runs it: snapshots or point-in-time ' +
  'recovery of its provider, or PostgreSQL’s own programs, e.g. pg_basebackup --wal-method=stream for the whole server or ' +
  'pg_dump --format=custom for this database. Keep MASTER_KEY in another place. Nothing was done.'

async function copy(
  { url, embedded, masterKey: key }: Awaited<ReturnType<Installation['reach']>>,
  {
    folder,
    tell,
    version,
    stopped,
  }: { folder: string; tell: (line: string) => void; version: string; stopped: AbortSignal },
) {
  if (embedded === undefined) throw new Error(NOT_OURS)
  let bytesFound = 0
  const report = progress(tell, { doing: 'copied', of: () => bytesFound })
  const describe: BackupWanted['describe'] = async () => {
    const { rows } = await withSession(url, (session) => session.query<About>(ABOUT))
    const [found] = rows
    if (found === undefined) throw new Error('There is no ledger in this database: is DATA_DIR right?')
    const { postgresql, schema, head, master_key, ended_at } = found
    if (!opens(key, master_key))
      throw new Error('The master key does not open the signing keys of this database: is MASTER_KEY right?')
    return {
      ...{ product_version: version, postgresql, schema, head },
      master_key: { fingerprint: key.fingerprint, ...master_key },
      ended_at,
    }
  }
  return writeBackup({
    ...embedded,
    ...{ folder, describe, tell },
    onFound: (bytes) => {
      bytesFound += bytes
    },
    onProgress: (bytes) => {
      stopped.throwIfAborted()
      report(bytes)
    },
  })
}

type SealedText = Omit<BackupManifest['master_key'], 'fingerprint'>

const opens = (key: MasterKey, { key_id, sealed_seed }: SealedText): boolean =>
  opensSeed(key, { key_id: Buffer.from(key_id, 'hex'), sealed_seed: Buffer.from(sealed_seed, 'hex') })

/** What the database says of itself for a manifest. */
type About = Pick<BackupManifest, 'postgresql' | 'schema' | 'head' | 'ended_at'> & { master_key: SealedText }

/** Of the newest block, the newest migration and one signing key. Indexes: blocks_height_key, migrations_pkey. */
const ABOUT = `
  SELECT current_setting('server_version_num')::int / 10000 AS postgresql,
         json_build_object('name', migration.name, 'product_version', migration.product_version) AS schema,
         json_build_object('height', head.height, 'hash', encode(head.block_hash, 'hex'),
                           'time', iso_time(head.finalized_at)) AS head,
         json_build_object('key_id', encode(key.key_id, 'hex'),
                           'sealed_seed', encode(key.sealed_seed, 'hex')) AS master_key,
         iso_time(pharos_now()) AS ended_at
    FROM (SELECT name, product_version FROM migrations ORDER BY position DESC LIMIT 1) AS migration,
         (SELECT height, block_hash, finalized_at FROM blocks ORDER BY height DESC LIMIT 1) AS head,
         (SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence DESC LIMIT 1) AS key`

const NOT_EMBEDDED =
  'DATABASE_URL is set, and restore makes an embedded database. Restore the other one with what backed it up (e.g. ' +
  'pg_restore, or the snapshots of its provider), or unset DATABASE_URL. Nothing was done.'

function checkVersion({ schema, product_version }: BackupManifest): void {
  if (MIGRATIONS.some(({ name }) => name === schema.name)) return
  throw new Error(
    `The backup was made by Pharos ${product_version}, whose schema (${schema.name}) this Pharos does not know. Restore it ` +
      `with Pharos ${product_version} or a later one. Nothing was restored.`,
  )
}

/** @throws an Error when there is no key, or not the one that this backup is sealed by */
async function givenKey(
  { masterKey: set }: Installation,
  file: string | undefined,
  { master_key: { fingerprint, ...sealed } }: BackupManifest,
): Promise<{ key: MasterKey /** As a data folder keeps it. */; kept: string | undefined }> {
  const read = file === undefined ? undefined : await readMasterKey(file, 'Nothing was restored.')
  const kept = read?.toString('hex')
  const bytes = read ?? set
  if (bytes === undefined)
    throw new Error(
      `This backup is sealed by the master key with the fingerprint ${fingerprint}, which is in no backup. Set MASTER_KEY ` +
        'to it, or name a copy of the file master_key: --master-key-file <file>. Nothing was restored.',
    )
  const key = masterKey(bytes)
  if (opens(key, sealed)) return { key, kept }
  throw new Error(
    `The master key does not open this backup: its fingerprint is ${key.fingerprint}, and the backup is sealed by the ` +
      `one with ${fingerprint}. Nothing was restored.`,
  )
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
) {
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
async function headOf(url: string, { height, hash }: BackupManifest['head']) {
  const { rows } = await withSession(url, (session) =>
    session.query<BackupManifest['head']>(
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
