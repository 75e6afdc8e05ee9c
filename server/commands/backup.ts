// The operator command that copies the embedded database while the service runs.
import { resolve, sep } from 'node:path'
import { z } from 'zod'
import { Complaint } from '../../shared/cli/terminal.ts'
import { opensSeed } from '../domain/ledger/signing_key.ts'
import { type BackupWanted, writeBackup } from '../store/embedded/backup_folder.ts'
import { withSession } from '../store/embedded/prepare_cluster.ts'
import { type Commands, type Installation, type InstallationCommand, say } from './command.ts'
import { inMb, interruptible, progress } from './long_command.ts'

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
      return interruptible(new Error('The backup was stopped. Nothing is left of it.'), async (stopped) => {
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
      })
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
  let there = 0
  const report = progress(tell, { doing: 'copied', of: () => there })
  const describe: BackupWanted['describe'] = async () => {
    const [found] = await read(url, ABOUT, about)
    if (found === undefined) throw new Error('There is no ledger in this database: is DATA_DIR right?')
    const { migration, schema_by, height, hash, time, now, key_id, sealed_seed, postgresql } = found
    const sealed = { key_id: Buffer.from(key_id, 'hex'), sealed_seed: Buffer.from(sealed_seed, 'hex') }
    if (!opensSeed(key, sealed))
      throw new Error('The master key does not open the signing keys of this database: is MASTER_KEY right?')
    return {
      product_version: version,
      postgresql,
      schema: { name: migration, product_version: schema_by },
      head: { height, hash, time },
      master_key: { fingerprint: key.fingerprint, key_id, sealed_seed },
      ended_at: now,
    }
  }
  return writeBackup({
    ...embedded,
    ...{ folder, describe, tell },
    onFound: (bytes) => {
      there += bytes
    },
    onProgress: (bytes) => {
      stopped.throwIfAborted()
      report(bytes)
    },
  })
}

const read = <Row extends z.ZodType>(url: string, text: string, row: Row): Promise<z.infer<Row>[]> =>
  withSession(url, async (session) => z.array(row).parse((await session.query(text)).rows))

const about = z.object({
  migration: z.string(),
  schema_by: z.string(),
  height: z.number(),
  hash: z.string(),
  time: z.string(),
  now: z.string(),
  key_id: z.string(),
  sealed_seed: z.string(),
  postgresql: z.number(),
})

/** Of the newest block, the newest migration and one signing key. Indexes: blocks_height_key, migrations_pkey. */
const ABOUT = `
  SELECT migration.name AS migration, migration.product_version AS schema_by, head.height,
         encode(head.block_hash, 'hex') AS hash, iso_time(head.finalized_at) AS time, iso_time(pharos_now()) AS now,
         encode(key.key_id, 'hex') AS key_id, encode(key.sealed_seed, 'hex') AS sealed_seed,
         current_setting('server_version_num')::int / 10000 AS postgresql
    FROM (SELECT name, product_version FROM migrations ORDER BY position DESC LIMIT 1) AS migration,
         (SELECT height, block_hash, finalized_at FROM blocks ORDER BY height DESC LIMIT 1) AS head,
         (SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence DESC LIMIT 1) AS key`
