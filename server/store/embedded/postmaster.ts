// One PostgreSQL server process: started with our settings, listened to, stopped.
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type LogTail, logTail } from './log_tail.ts'
import { type Account, childSurroundings } from './run_program.ts'
import { signalPostmaster } from './signal_postmaster.ts'

export interface Postmaster {
  /** The last 64 KiB of its log. */
  readonly words: LogTail
  /** When it last wrote a line, on the clock of `performance.now()`. */
  readonly lastHeard: () => number
  /** Settles when the process is gone, by our wish or not, with the manner: `exit code 1`, `signal SIGKILL`. */
  readonly ended: Promise<string>
  readonly hasEnded: () => boolean
  /** Fast shutdown; from 5 s on without a last checkpoint (the next start recovers; nothing committed is lost). */
  readonly stop: () => Promise<void>
}

/** For 2 cores and 24 GiB shared with Node; all of it also runs on far less. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // No socket file: nothing to leave behind, no path length to mind, one way in.
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  effective_cache_size: '4GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  // Finalizing a large block writes much WAL at once: fewer forced checkpoints, each spread out.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // These binaries have neither lz4 nor zstd, and pglz costs more of our two cores than the disk it saves.
  wal_compression: 'off',
  random_page_cost: '1.1',
  // Short statements: compiling them or spreading them over workers costs more than running them. Workers also need
  // /dev/shm, of which a container has 64 MB.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  // Start, stop, recovery and crashes. A statement's error goes to whoever sent it; its text can hold people's data.
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
  account: Account | undefined
  cluster: string
  port: number
  /** In the place of ours, or beside them. */
  settings: Readonly<Record<string, string>>
}): Postmaster => {
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
    // A session of its own: Ctrl-C in the terminal reaches us only, and we stop it when we are done with it.
    detached: true,
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    heard = performance.now()
    words.add(chunk)
  })
  const { pid } = child
  // Should our process end without a graceful stop (an uncaught fault), this is still sent in its last moment.
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
      // Also emitted when a signal could not be sent: then the process is still there.
      if (pid === undefined) end(error.message)
    })
    child.once('exit', async (code, signal) => {
      // Its last words can still be in the pipe; orphaned backends would keep that open, hence the limit.
      if (!child.stderr.closed)
        await Promise.race([new Promise((done) => child.stderr.once('close', done)), pause(500)])
      end(signal ? `signal ${signal}` : `exit code ${code}`)
    })
  })

  const endsWithin = (ms: number): Promise<boolean> => {
    const timer = new AbortController()
    const late = pause(ms, false, { signal: timer.signal }).catch(() => false)
    return Promise.race([ended.then(() => true), late]).finally(() => timer.abort())
  }
  const stop = async (): Promise<void> => {
    if (pid === undefined || gone) return
    await signalPostmaster(binaries, pid, 'SIGINT')
    if (await endsWithin(5_000)) return
    await signalPostmaster(binaries, pid, 'SIGQUIT')
    if (await endsWithin(10_000)) return
    await signalPostmaster(binaries, pid, 'SIGKILL')
    await ended
  }
  let stopping: Promise<void> | undefined
  return {
    words,
    lastHeard: () => heard,
    ended,
    hasEnded: () => gone,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}
