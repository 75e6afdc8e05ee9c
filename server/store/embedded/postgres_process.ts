// The embedded PostgreSQL of a start without a named database: found or created, started, started again when it ends by
// itself, and stopped with the server. Each time it gets a free port, and is awaited until it answers and holds our
// database. A lost password is set anew by a session without a server.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause, setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, findBinaries } from './binaries.ts'
import type { DataFolder } from './data_folder.ts'
import { findPlace } from './place.ts'
import { type Postmaster, startPostmaster, stopOrphan } from './postmaster.ts'
import {
  isWrongPassword,
  loginUrl,
  OWNER,
  type Passwords,
  prepareCluster,
  prepareOwner,
  SUPERUSER,
  superuserUrlOf,
} from './prepare_cluster.ts'
import { runProgram, type SystemUser } from './run_program.ts'

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
    onTrouble: (listener: (why: string | undefined) => void): void => void listeners.push(listener),
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

/**
 * Gives the superuser another password, for a data folder whose password file is lost or was restored without it.
 * Whoever can do this could read the cluster's files anyway. The cluster must be stopped.
 */
async function setSuperuserPassword(
  { binaries, account, cluster }: { binaries: Binaries; account: SystemUser | undefined; cluster: string },
  /** Base64url. */
  password: string,
): Promise<void> {
  const { ok, how, output } = await runProgram(binaries.postgres, ['--single', '-D', cluster, SUPERUSER], {
    account,
    timeoutMs: 300_000,
    input: `ALTER ROLE "${SUPERUSER}" PASSWORD '${password}'\n`,
  })
  // An error in a statement does not end the session.
  const refused = /^.*(ERROR|FATAL):.*$/m.exec(output)?.[0]
  if (refused?.includes('does not exist') === true)
    throw new Error(
      `The database in ${cluster} was made by a development state of Pharos, which cannot be used any more. ` +
        'Set DATA_DIR to another folder to begin anew.',
    )
  if (!ok || refused !== undefined)
    throw new Error(`The password of the database in ${cluster} could not be set (${refused ?? how}).`)
}

type Launched = Awaited<ReturnType<typeof launch>>

interface LaunchWanted {
  readonly binaries: Binaries
  readonly account: SystemUser | undefined
  readonly cluster: string
  readonly passwords: Passwords
  readonly settings: Readonly<Record<string, string>>
  readonly log: (line: string) => void
  /** The port to use again. Absent: any free port. */
  readonly port?: number
}

/** Counted from PostgreSQL's last log line. A long recovery logs every 10 s and must not be interrupted. */
const silenceMs = 60_000

const launch = async (wanted: LaunchWanted) => {
  let passwordIsSet = false
  for (const end = performance.now() + silenceMs; ; await pause(200)) {
    await stopOrphan(wanted, wanted.log)
    const port = wanted.port ?? (await freePort())
    const postmaster = startPostmaster({ ...wanted, port })
    const failure = await waitUntilReady(wanted, postmaster, port)
    if (failure === undefined) return { postmaster, port }
    await postmaster.stop()
    if (failure === WRONG_PASSWORD && !passwordIsSet) {
      wanted.log('Giving the database the passwords of its data folder ...')
      await setSuperuserPassword(wanted, wanted.passwords.superuser)
      passwordIsSet = true
      continue
    }
    const words = postmaster.words.lastLines()
    const passing = passesByItself.exec(words)?.[0]
    if (passing === undefined || performance.now() > end) {
      throw new Error(
        `The database in ${wanted.cluster} did not start (${failure}). Its last words:\n${words}`,
      )
    }
    wanted.log(`The database could not start yet (${passing}). Trying again ...`)
  }
}

/**
 * Errors that pass by themselves: the port was taken first, backends of a killed postmaster are finishing a
 * statement, or the orphan of a killed server wrote postmaster.pid after we had looked for it.
 */
const passesByItself =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file "postmaster.pid" already exists/

const WRONG_PASSWORD = 'it refuses the password of its data folder'

/** Resolves with undefined when PostgreSQL is ready, otherwise with the reason why it will not be. */
const waitUntilReady = async (
  wanted: LaunchWanted,
  postmaster: Postmaster,
  port: number,
): Promise<string | undefined> => {
  const begun = performance.now()
  let isLogged = false
  for (;;) {
    const error = await prepareOwner(port, wanted.passwords).then(
      () => undefined,
      (failure: Error) => failure,
    )
    if (postmaster.hasEnded()) return postmaster.ended
    if (error === undefined) return undefined
    if (isWrongPassword(error)) {
      // It may be another PostgreSQL that took the port first. Then ours ends, because it cannot listen.
      await Promise.race([postmaster.ended, pause(1_000)])
      if (postmaster.hasEnded()) return postmaster.ended
      return WRONG_PASSWORD
    }
    if (performance.now() - postmaster.lastHeard() > silenceMs)
      return `no answer for 60 seconds: ${error.message}`
    if (!isLogged && performance.now() - begun > 1_000) {
      isLogged = true
      wanted.log('Starting the database (after an unclean stop it first repeats its last changes) ...')
    }
    await Promise.race([postmaster.ended, pause(25)])
  }
}

/** A port that is free now. `launch` tries another one when it is taken meanwhile. */
const freePort = async (): Promise<number> => {
  const probe = createServer()
  await once(probe.listen(0, '127.0.0.1'), 'listening')
  const address = probe.address()
  await once(probe.close(), 'close')
  if (typeof address === 'object' && address) return address.port
  throw new Error('No free port on 127.0.0.1.')
}
