// Starts PostgreSQL on a free port and waits until it answers and holds our database. A lost password is set anew by
// a session without a server.
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type Postmaster, startPostmaster, stopOrphan } from './postmaster.ts'
import { isWrongPassword, type Passwords, prepareOwner, SUPERUSER } from './roles.ts'
import { type Account, runProgram } from './run_program.ts'

/**
 * Gives the superuser another password, for a data folder whose password file is lost or was restored without it.
 * Whoever can do this could read the cluster's files anyway. The cluster must be stopped.
 */
async function setSuperuserPassword(
  { binaries, account, cluster }: { binaries: Binaries; account: Account | undefined; cluster: string },
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

export type Launched = Awaited<ReturnType<typeof launch>>

interface LaunchWanted {
  readonly binaries: Binaries
  readonly account: Account | undefined
  readonly cluster: string
  readonly passwords: Passwords
  readonly settings: Readonly<Record<string, string>>
  readonly log: (line: string) => void
  /** The port to use again. Absent: any free port. */
  readonly port?: number
}

/** Counted from PostgreSQL's last log line. A long recovery logs every 10 s and must not be interrupted. */
const silenceMs = 60_000

export const launch = async (wanted: LaunchWanted) => {
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
    const error = await tryToOpen(port, wanted.passwords)
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

const tryToOpen = async (port: number, passwords: Passwords): Promise<Error | undefined> => {
  try {
    await prepareOwner(port, passwords)
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** A port that is free now. `launch` tries another one when it is taken meanwhile. */
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
