// Copies a running cluster with PostgreSQL's low-level backup API (Continuous Archiving, chapter "Backup and Restore"
// of its manual). The copy is a cluster that recovers at its first start to the moment at which the backup ended.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { withSession } from '../session.ts'
import {
  type Copied,
  type CopyWatches,
  copyClusterFiles,
  copyFile,
  copyWhole,
  findBytes,
  syncFiles,
} from './cluster_files.ts'
import { writeDurably } from './durable_file.ts'

/** The segments that hold the log from `first` up to `last`, which is the position after the last byte. */
export function segmentNames({
  first,
  last,
  timeline,
  segmentBytes,
}: {
  /** Positions such as `0/2000028`. */
  readonly first: string
  readonly last: string
  /** Eight hex digits. */
  readonly timeline: string
  readonly segmentBytes: bigint
}): string[] {
  const inPart = 0x1_0000_0000n / segmentBytes
  const names: string[] = []
  for (
    let segment = bytesOf(first) / segmentBytes;
    segment <= (bytesOf(last) - 1n) / segmentBytes;
    segment += 1n
  )
    names.push(`${timeline}${hex(segment / inPart)}${hex(segment % inPart)}`)
  return names
}

/** The histories of timelines, which PostgreSQL reads after a promotion. */
const historyFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^[0-9A-F]{8}\.history$/.test(name))

const bytesOf = (position: string): bigint => {
  const [part = '', offset = ''] = position.split('/')
  return (BigInt(`0x${part}`) << 32n) + BigInt(`0x${offset}`)
}

const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0')

/**
 * Runs beside everything else that the cluster does. When this process dies, its session ends, and with it the backup
 * and the slot that kept the log: the cluster is as before.
 * @throws an Error that says what to do when the cluster is a standby or has tablespaces
 */
export function makeBaseBackup<About>({
  superuserUrl,
  cluster,
  to,
  beforeEnd,
  onFound = () => undefined,
  onProgress = () => undefined,
}: {
  /** Of a superuser, past any pooler: the backup lasts as long as this session. */
  readonly superuserUrl: string
  /** The data directory of the cluster, which this process can read. */
  readonly cluster: string
  /** An empty folder of mode 0700. */
  readonly to: string
  /** Runs when everything but the end of the log is copied: what it sees is in the copy. Its answer comes back as `about`. */
  readonly beforeEnd: () => Promise<About>
} & Partial<CopyWatches>) {
  const broken = new AbortController()
  const config = { connectionTimeoutMillis: 10_000, keepAlive: true, application_name: 'pharos backup' }
  const copy = async (session: Client) => {
    session.on('error', (error) => broken.abort(error))
    await checkPlain(session)
    const start = await begin(session)
    const data = await copyClusterFiles(cluster, to, {
      onFound,
      onProgress: (bytes) => {
        broken.signal.throwIfAborted()
        return onProgress(bytes)
      },
    })
    const control = await copyWhole(cluster, to, 'global/pg_control')
    const about = await beforeEnd()
    const stop = await end(session)
    await writeDurably(join(to, 'backup_label'), stop.label, 0o600)
    const label = await copyFile({ from: to, path: 'backup_label' })
    const log = await copyLog(session, { cluster, to, first: start, last: stop.lsn, onFound, onProgress })
    /** Everything in `to`, by paths relative to it, and all folders, parents first, because some are empty. */
    const copied = { files: [...data.files, control, label, ...log], folders: data.folders }
    await syncFiles(to, copied)
    /** Write-ahead log positions, such as `0/2000028`. Everything committed before `stop` is in the copy. */
    return { ...copied, start, stop: stop.lsn, about }
  }
  return withSession(superuserUrl, copy, config)
}

async function checkPlain(session: Client): Promise<void> {
  await session.query(
    `SELECT set_config(name, '0', false) FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_session_timeout')`,
  )
  const { rows } = await session.query<{ standby: boolean; tablespaces: boolean }>(
    `SELECT pg_is_in_recovery() AS standby, count(*) > 2 AS tablespaces FROM pg_tablespace`,
  )
  if (rows[0]?.standby === true)
    throw new Error('This database is a standby. Make the backup where the primary runs.')
  if (rows[0]?.tablespaces === true)
    throw new Error('This database has tablespaces outside its folder. Use pg_basebackup for it.')
}

/** Position at which recovery will begin. The slot ends with the session and keeps the log until then. */
async function begin(session: Client): Promise<string> {
  await session.query('SELECT pg_create_physical_replication_slot($1, true, true)', [
    `pharos_backup_${randomBytes(8).toString('hex')}`,
  ])
  const { rows } = await session.query<{ lsn: string }>(
    `SELECT pg_backup_start('pharos', fast => true)::text AS lsn`,
  )
  return known(rows[0]?.lsn)
}

/** Also completes the last segment of the log, so that it can be copied. */
async function end(session: Client): Promise<{ lsn: string; label: string }> {
  const { rows } = await session.query<{ lsn: string; label: string }>(
    'SELECT lsn::text, labelfile AS label FROM pg_backup_stop(wait_for_archive => false)',
  )
  return { lsn: known(rows[0]?.lsn), label: known(rows[0]?.label) }
}

const known = (value: string | undefined): string => {
  if (value === undefined) throw new Error('PostgreSQL did not say where the backup begins and ends.')
  return value
}

/** The segments that recovery needs, and the histories of timelines. */
async function copyLog(
  session: Client,
  wanted: { cluster: string; to: string; first: string; last: string } & CopyWatches,
): Promise<Copied[]> {
  const { cluster, to, first, last, onFound, onProgress } = wanted
  const { rows } = await session.query<{ timeline: string; bytes: string }>(
    `SELECT left(pg_walfile_name($1::pg_lsn), 8) AS timeline,
            pg_size_bytes(current_setting('wal_segment_size'))::text AS bytes`,
    [first],
  )
  const names = segmentNames({
    first,
    last,
    timeline: known(rows[0]?.timeline),
    segmentBytes: BigInt(known(rows[0]?.bytes)),
  })
  const paths = [...names, ...(await historyFiles(join(cluster, 'pg_wal')))].map((name) => `pg_wal/${name}`)
  await findBytes(cluster, paths, onFound)
  const copied: Copied[] = []
  for (const path of paths) copied.push(await copyFile({ from: cluster, to, path, onProgress }))
  return copied
}
