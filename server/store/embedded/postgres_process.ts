// The embedded PostgreSQL of a start without a named database: found or created, started, and stopped with the
// server.
import { randomBytes } from 'node:crypto'
import { type Binaries, findBinaries } from './binaries.ts'
import type { DataFolder } from './data_folder.ts'
import { type Kept, keepRunning } from './keep_running.ts'
import { launch } from './launch.ts'
import { findPlace } from './place.ts'
import { prepareCluster } from './prepare_cluster.ts'
import { loginUrl, OWNER, superuserUrlOf } from './roles.ts'

export interface EmbeddedPostgres extends Pick<Kept, 'trouble' | 'onTrouble'> {
  /** `postgresql://pharos:<password>@127.0.0.1:<port>/pharos`. A secret. The port differs with each start. */
  readonly url: string
  /** For backups and tests. A secret. */
  readonly superuserUrl: string
  /** The data directory of the cluster. */
  readonly cluster: string
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
  const passwords = {
    superuser: await folder.readSecret(SUPERUSER_PASSWORD_FILE, newPassword),
    owner: await folder.readSecret('database_password', newPassword),
  }
  const cluster = await prepareCluster(place, passwords.superuser, log)
  const wantedLaunch = { ...place, cluster, passwords, settings, log }
  const first = await launch(wantedLaunch)
  const kept = keepRunning({ first, log, again: () => launch({ ...wantedLaunch, port: first.port }) })
  const url = loginUrl({ port: first.port, user: OWNER, password: passwords.owner, database: OWNER })
  return { url, superuserUrl: superuserUrlOf(url, passwords.superuser), cluster, ...kept }
}

/** In the data folder, for commands beside the server. */
export const SUPERUSER_PASSWORD_FILE = 'superuser_password'

const newPassword = (): string => randomBytes(24).toString('base64url')
