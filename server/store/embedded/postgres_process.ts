// The embedded PostgreSQL of a start without a named database: found or created, started, started again when it ends by
// itself, and stopped with the server.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, findBinaries } from './binaries.ts'
import type { DataFolder } from './data_folder.ts'
import { type Launched, launch } from './launch.ts'
import { findPlace } from './place.ts'
import { prepareCluster } from './prepare_cluster.ts'
import { loginUrl, OWNER, superuserUrlOf } from './roles.ts'

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>

export const startEmbeddedPostgres = async ({
  folder,
  log,
  binaries,
  elsewhere = '/var/lib/pharos',
  settings = {},
}: {
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
}) => {
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
  return {
    ...kept,
    /** `postgresql://pharos:<password>@127.0.0.1:<port>/pharos`. A secret. The port differs with each start. */
    url,
    /** For backups and tests. A secret. */
    superuserUrl: superuserUrlOf(url, passwords.superuser),
    /** The data directory of the cluster. */
    cluster,
    /** Fast shutdown: connected clients are disconnected at once. Safe to call again. Release the data folder after it. */
    stop: kept.stop,
  }
}

/** In the data folder, for commands beside the server. */
export const SUPERUSER_PASSWORD_FILE = 'superuser_password'

const newPassword = (): string => randomBytes(24).toString('base64url')

/** Milliseconds before the first, second, … start in a row, and before every later one. */
const PATIENCE_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000] as const
/** Whatever ran this long begins a new row. */
const STEADY_MS = 60_000

export const keepRunning = ({
  first,
  again,
  log,
  pause = pauseUnlessStopped,
}: {
  readonly first: Launched
  readonly again: () => Promise<Launched>
  readonly log: (line: string) => void
  /** For tests. */
  readonly pause?: (ms: number, stopped: AbortSignal) => Promise<void>
}) => {
  const stopping = new AbortController()
  const stopped = stopping.signal
  const listeners: ((why: string | undefined) => void)[] = []
  let current = first
  let trouble: string | undefined
  const setTrouble = (why: string | undefined): void => {
    trouble = why
    for (const tell of listeners) tell(why)
  }

  const restart = async (starts: number): Promise<number> => {
    for (let number = starts; ; number += 1) {
      const ms = PATIENCE_MS[Math.min(number, PATIENCE_MS.length - 1)] ?? 0
      log(`Starting the database again${ms === 0 ? '' : ` in ${ms / 1_000} s`} ...`)
      await pause(ms, stopped)
      if (stopped.aborted) return number
      try {
        current = await again()
        return number + 1
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        setTrouble(reason('it does not start', words))
        log(words)
      }
    }
  }
  const keep = async (): Promise<void> => {
    for (let starts = 0; ; ) {
      const { ended, words } = current.postmaster
      const began = performance.now()
      const how = await ended
      if (stopped.aborted) return
      const last = words.lastLines()
      setTrouble(reason(how, last))
      log(`The database ended by itself (${trouble}). Its last words:\n${last}`)
      starts = await restart(performance.now() - began > STEADY_MS ? 0 : starts)
      if (stopped.aborted) return
      setTrouble(undefined)
      log('The database runs again.')
    }
  }
  const kept = keep()

  return {
    /** Why there is no database at the moment, e.g. `exit code 1: its disk is full`. Undefined while there is one. */
    trouble: () => trouble,
    /** Calls back whenever `trouble` changes. */
    onTrouble: (told: (why: string | undefined) => void): void => void listeners.push(told),
    stop: async (): Promise<void> => {
      stopping.abort()
      await current.postmaster.stop()
      await kept
      // The one that was being started meanwhile.
      await current.postmaster.stop()
    },
  }
}

/** For people, and for everybody who reads `/health/ready`: no path, no name, nothing of the log. */
const reason = (how: string, words: string): string =>
  /No space left on device|Disk quota exceeded/i.test(words) ? `${how}: its disk is full` : how

const pauseUnlessStopped = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
