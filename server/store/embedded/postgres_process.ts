// The embedded PostgreSQL of the default start: found or made, started, and stopped with us.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Binaries, findBinaries } from './binaries.ts'
import type { DataFolder } from './data_folder.ts'
import { keepRunning } from './keep_running.ts'
import { launch } from './launch.ts'
import { findPlace, type Place } from './place.ts'
import { databaseUser, prepareCluster } from './prepare_cluster.ts'

export interface EmbeddedPostgres {
  /** `postgresql://pharos:<password>@127.0.0.1:<port>/pharos`: a secret, and the port is another one each time. */
  readonly url: string
  /**
   * PostgreSQL that ends without `stop()` is started again on the same port. This settles when that does not help, with
   * what happened and its last log lines.
   */
  readonly exited: Promise<string>
  /** Fast shutdown, at once for whoever is connected; safe to call again. Release the data folder after it. */
  readonly stop: () => Promise<void>
}

export interface EmbeddedWanted {
  /** Held by us: its lock is what makes it safe to stop an orphan and to delete leftovers. */
  readonly folder: Pick<DataFolder, 'path' | 'readSecret'>
  /** Gets a line for everything that can take longer than a second. */
  readonly log: (line: string) => void
  /** The programs; by default those from npm. */
  readonly binaries?: Binaries
  /** Where root puts what PostgreSQL's account could not reach otherwise. */
  readonly elsewhere?: string
  /** Other settings of PostgreSQL than ours, such as `fsync: 'off'` for data that nobody keeps. */
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

/** A new password opens a new cluster only. */
const newPassword = ({ isNew, entry }: Place, folder: string): string => {
  if (isNew) return randomBytes(24).toString('base64url')
  throw new Error(
    `The file ${join(folder, 'database_password')} is missing, and the database ${entry} opens with it only. ` +
      'Restore it from a backup, or set DATA_DIR to another folder.',
  )
}
