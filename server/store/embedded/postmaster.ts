// One PostgreSQL server process: started with our settings, observed, stopped; and one that a killed server left behind
// is ended, before a new one starts on the same cluster.
import { spawn } from 'node:child_process'
import { readFile, readlink, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { hasCode, whenMissing } from '../../kernel/error_code.ts'
import { once } from '../../kernel/lru.ts'
import type { Binaries } from './binaries.ts'
import { identifyProcess, isRunning, isTaken, type ProcessIdentity } from './folder_lock.ts'
import { childSurroundings, logTail, runProgram, type SystemUser } from './run_program.ts'

/** Does nothing when the process has ended already. */
const signalPostmaster = async (
  { pgCtl }: Binaries,
  pid: number,
  signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
): Promise<void> => {
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    // Windows has no signals, and process.kill would end the process at once. PostgreSQL listens on its own pipe
    // there.
    await runProgram(pgCtl, ['kill', signal.slice('SIG'.length), String(pid)])
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

export type Postmaster = ReturnType<typeof startPostmaster>

/** For 2 cores and 24 GiB shared with Node. Also runs on much smaller machines. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket file: nothing is left behind, path lengths do not matter, and there is one way in.
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  effective_cache_size: '4GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  // A large block writes much WAL at once. These settings force fewer checkpoints and spread each one out.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // These binaries have neither lz4 nor zstd, and pglz costs more CPU time than the disk space it saves.
  wal_compression: 'off',
  random_page_cost: '1.1',
  // Statements are short: compiling them or using workers costs more than running them. Workers also need /dev/shm,
  // of which a container has 64 MB.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Logs start, stop, recovery and crashes only. Errors of statements go to their senders, because the text may
  // contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  cluster_name: 'pharos',
} as const

export const startPostmaster = ({
  binaries,
  account,
  cluster,
  port,
  settings,
}: {
  binaries: Binaries
  account: SystemUser | undefined
  cluster: string
  port: number
  /** Added to our settings, or replacing them. */
  settings: Readonly<Record<string, string>>
}) => {
  const words = logTail()
  let heard = performance.now()
  let gone = false
  const args = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = spawn(binaries.postgres, ['-D', cluster, '-p', String(port), ...args], {
    ...childSurroundings(binaries.postgres, account),
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate session, so that Ctrl-C in the terminal reaches only us, and we stop it after our own work.
    detached: true,
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    heard = performance.now()
    words.add(chunk)
  })
  const { pid } = child
  // Sent at the last moment if our process ends without a graceful stop (an uncaught error).
  const lastResort = () => {
    if (!gone) child.kill('SIGINT')
  }
  process.once('exit', lastResort)
  const ended = new Promise<string>((settle) => {
    const end = (how: string) => {
      gone = true
      process.removeListener('exit', lastResort)
      settle(how)
    }
    child.once('error', (error) => {
      // Also emitted when a signal could not be sent. The process still runs in that case.
      if (pid === undefined) end(error.message)
    })
    child.once('exit', async (code, signal) => {
      // Its last lines may still be in the pipe. Orphaned backends would keep the pipe open, so the wait is limited.
      if (!child.stderr.closed)
        await Promise.race([new Promise((done) => child.stderr.once('close', done)), pause(500)])
      end(signal ? `signal ${signal}` : `exit code ${code}`)
    })
  })

  // The process keeps ours alive until it has ended, so the timer need not.
  const endsWithin = (ms: number): Promise<boolean> =>
    Promise.race([ended.then(() => true), pause(ms, false, { ref: false })])
  const stop = async (): Promise<void> => {
    if (pid === undefined || gone) return
    await signalPostmaster(binaries, pid, 'SIGINT')
    if (await endsWithin(5_000)) return
    await signalPostmaster(binaries, pid, 'SIGQUIT')
    if (await endsWithin(10_000)) return
    await signalPostmaster(binaries, pid, 'SIGKILL')
    await ended
  }
  return {
    /** The last 64 KiB of its log. */
    words,
    /** When it last wrote a line, by `performance.now()`. */
    lastHeard: () => heard,
    /** Resolves when the process has ended, for any reason, with how it ended: `exit code 1`, `signal SIGKILL`. */
    ended,
    hasEnded: () => gone,
    /** Fast shutdown. After 5 s without a final checkpoint: the next start recovers, and nothing committed is lost. */
    stop: once(stop),
  }
}

export const stopOrphan = async (
  { cluster, binaries }: { cluster: string; binaries: Binaries },
  log: (line: string) => void,
): Promise<void> => {
  const pid = await recordedPid(cluster)
  if (pid === undefined) return
  const orphan = await identifyProcess(pid)
  if (!(await isRunning(orphan)) || !(await isPostgresOf(cluster, pid))) {
    // PostgreSQL handles a free pid itself. But if another process (after a reboot) or a zombie has the pid,
    // PostgreSQL would take it for its predecessor and refuse to start. Its second guard, the shared memory key
    // derived from the cluster's inode, stays in force.
    if (isTaken(pid)) await rm(join(cluster, 'postmaster.pid'), { force: true })
    return
  }
  log(`Stopping the database left behind by a server that was killed (process ${pid}) ...`)
  await signalPostmaster(binaries, pid, 'SIGINT')
  if (await isGone(orphan, 10_000)) return
  await signalPostmaster(binaries, pid, 'SIGQUIT')
  if (await isGone(orphan, 10_000)) return
  throw new Error(
    `The PostgreSQL left behind in ${cluster} (process ${pid}) does not stop. End it, then start again.`,
  )
}

/** The first line of postmaster.pid. Undefined when the file is missing or incomplete. */
const recordedPid = async (cluster: string): Promise<number | undefined> => {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(whenMissing)
  const pid = Number(text?.split('\n')[0])
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined
}

/** A postmaster's working folder is its cluster. Without /proc the command line is compared instead. */
const isPostgresOf = async (cluster: string, pid: number): Promise<boolean> => {
  try {
    const [cwd, exe] = await Promise.all([readlink(`/proc/${pid}/cwd`), readlink(`/proc/${pid}/exe`)])
    return cwd === cluster && basename(exe).startsWith('postgres')
  } catch (error) {
    // A process of another account cannot be the postmaster of our cluster.
    if (hasCode(error, 'EACCES', 'EPERM')) return false
  }
  // Without ps (Windows) the file is trusted. A request to shut down has no effect on another kind of process.
  const { ok, output } = await runProgram('/bin/ps', ['-p', String(pid), '-o', 'args='])
  return ok ? output.includes(`-D ${cluster}`) : process.platform === 'win32'
}

const isGone = async (orphan: ProcessIdentity, withinMs: number): Promise<boolean> => {
  for (const end = performance.now() + withinMs; performance.now() < end; await pause(25)) {
    if (!(await isRunning(orphan))) return true
  }
  return false
}
