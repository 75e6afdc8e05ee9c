// Starts PostgreSQL on a free port and waits until it answers and holds our database.
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, DatabaseError, escapeIdentifier } from 'pg'
import type { Binaries } from './binaries.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { databaseUser } from './prepare_cluster.ts'
import type { Account } from './run_program.ts'
import { stopOrphan } from './stop_orphan.ts'

export interface Launched {
  readonly postmaster: Postmaster
  readonly port: number
}

interface LaunchWanted {
  readonly binaries: Binaries
  readonly account: Account | undefined
  readonly cluster: string
  readonly password: string
  readonly settings: Readonly<Record<string, string>>
  readonly log: (line: string) => void
  /** The port to answer on again; any free one when absent. */
  readonly port?: number
}

/** Counted from PostgreSQL's last log line: a long recovery reports every 10 s and must not be cut off half-way. */
const silenceMs = 60_000

export const launch = async (wanted: LaunchWanted): Promise<Launched> => {
  for (const end = performance.now() + silenceMs; ; await pause(200)) {
    await stopOrphan(wanted, wanted.log)
    const port = wanted.port ?? (await freePort())
    const postmaster = startPostmaster({ ...wanted, port })
    const failure = await waitUntilReady(wanted, postmaster, port)
    if (failure === undefined) return { postmaster, port }
    await postmaster.stop()
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
 * Somebody took the port first; or the backends of a killed postmaster are still finishing a statement; or a server
 * was killed so early that its orphan wrote postmaster.pid only after we had looked for it.
 */
const passesByItself =
  /could not create any TCP\/IP sockets|pre-existing shared memory block|lock file "postmaster.pid" already exists/

/** Undefined when ready, else why it will not be. */
const waitUntilReady = async (
  wanted: LaunchWanted,
  postmaster: Postmaster,
  port: number,
): Promise<string | undefined> => {
  const begun = performance.now()
  let isLogged = false
  for (;;) {
    const error = await tryToOpen(wanted.password, port)
    if (postmaster.hasEnded()) return postmaster.ended
    if (error === undefined) return undefined
    if (error instanceof DatabaseError && error.code === '28P01') {
      // Or this is a stranger's PostgreSQL that took the port first: then ours ends for want of it.
      await Promise.race([postmaster.ended, pause(1_000)])
      if (postmaster.hasEnded()) return postmaster.ended
      return 'the password in the data folder is not the one the database was made with'
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

const tryToOpen = async (password: string, port: number): Promise<Error | undefined> => {
  const client = new Client({
    ...{ host: '127.0.0.1', port, user: databaseUser, password, database: 'postgres' },
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  })
  // A connection cut later on is told through the promises below.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseUser])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(databaseUser)}`)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Free at this moment; `launch` takes another one when somebody is faster. */
const freePort = (): Promise<number> =>
  new Promise((settle, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address
          ? settle(address.port)
          : fail(new Error('No free port on 127.0.0.1.')),
      )
    })
  })
