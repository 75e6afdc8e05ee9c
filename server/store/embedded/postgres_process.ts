// The embedded PostgreSQL of a start without a named database: found or created, started, and stopped with the
// server.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Binaries, findBinaries } from './binaries.ts'
import type { DataFolder } from './data_folder.ts'
import { keepRunning } from './keep_running.ts'
import { launch } from './launch.ts'
import { findPlace, type Place } from './place.ts'
import { databaseUser, prepareCluster } from './prepare_cluster.ts'

export interface EmbeddedPostgres {
  /** `postgresql://pharos:<password>@127.0.0.1:<port>/pharos`. A secret. The port differs with each start. */
  readonly url: string
  /**
   * PostgreSQL that ends without `stop()` is started again on the same port. Resolves when that does not help, with
   * the reason and the last log lines.
   */
  readonly exited: Promise<string>
  /**
   * Fast shutdown: connected clients are disconnected at once. Safe to call again. Release the data folder after it.
   */
  readonly stop: () => Promise<void>
}

export interface EmbeddedWanted {
  /** Must be held by the caller. Its lock makes it safe to stop an orphan and to delete leftovers. */
  readonly folder: Pick<DataFolder, 'path' | 'readSecret'>
  /** Gets a line for everything that can take longer than a second. */
  readonly log: (line: string) => void
  /** The programs. By default those from npm. */
  readonly binaries?: Binaries
  /** Root's folder for files that PostgreSQL's account could not reach otherwise. */
  readonly elsewhere?: string
  /** Settings of PostgreSQL that replace ours, such as `fsync: 'off'` for temporary data. */
  readonly settings?: Readonly<Record<string, string>>
}

export const startEmbeddedPostgres = async ({
  folder,
  log,
  binaries,
  elsewhere = '/var/lib/pharos',
  settings = {},
}: EmbeddedWanted): Promise<EmbeddedPostgres> => {
  const wanted = { folder: folder.path, binaries: binaries ?? (await findBinaries()), elsewhere, log }
  const place = await findPlace(wanted)
  const password = await folder.readSecret('database_password', () => newPassword(place, folder.path))
  const cluster = await prepareCluster(place, password, log)
  const wantedLaunch = { ...place, cluster, password, settings, log }
  const first = await launch(wantedLaunch)
  const kept = keepRunning(first, log, () => launch({ ...wantedLaunch, port: first.port }))
  return {
    url: `postgresql://${databaseUser}:${encodeURIComponent(password)}@127.0.0.1:${first.port}/${databaseUser}`,
    ...kept,
  }
}

/** Used only for a new cluster. */
const newPassword = ({ isNew, entry }: Place, folder: string): string => {
  if (isNew) return randomBytes(24).toString('base64url')
  throw new Error(
    `The file ${join(folder, 'database_password')} is missing, and the database ${entry} opens with it only. ` +
      'Restore it from a backup, or set DATA_DIR to another folder.',
  )
}
