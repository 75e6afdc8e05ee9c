// One hostile caller against the service, and its effect on other callers, in numbers.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Caller, measureCallers, percentile, type Times } from './callers.ts'

export interface SiegeOptions {
  readonly base: string
  /** The process id of the server. */
  readonly pid: number
  readonly callers: readonly Caller[]
  readonly hostileKey: string
  readonly seconds: number
  readonly say: (line: string) => void
}

export interface Siege {
  readonly calm: Times
  readonly besieged: Times
  /** p99 during the siege divided by p99 before. */
  readonly ratio: { readonly latest: number; readonly create: number }
  /** The highest memory use of the server's process, in MiB. */
  readonly peakMiB: number
  /** Number of answers to the hostile caller, by status. */
  readonly told: Readonly<Record<string, number>>
  readonly seen: Readonly<Record<string, readonly string[]>>
}

/** What the hostile caller tells at its end. */
interface Report {
  readonly statuses: Record<string, number>
  readonly seen: Record<string, string[]>
}

/** The measurement before the siege takes a third of its time, and at most this many seconds. */
const MOST_CALM = 60

/** Every caller makes both requests this often, which is within its budget. */
const EVERY_MS = 1_000

export async function besiege({
  base,
  pid,
  callers,
  hostileKey,
  seconds,
  say,
}: SiegeOptions): Promise<Siege> {
  await measureCallers(base, callers, { seconds: 3, everyMs: EVERY_MS })
  const calmSeconds = Math.min(seconds / 3, MOST_CALM)
  say(`calm, for ${calmSeconds} s`)
  const calm = await measureCallers(base, callers, { seconds: calmSeconds, everyMs: EVERY_MS })
  say(`besieged, for ${seconds} s`)
  const hostile = fork(join(import.meta.dirname, 'hostile.ts'), [base, hostileKey, '127.0.0.99'], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const report = Promise.withResolvers<Report>()
  let isToldAll = false
  hostile.on('message', (message: 'told all' | Report) => {
    if (message === 'told all') isToldAll = true
    else report.resolve(message)
  })
  const ended = once(hostile, 'exit')
  // On a busy machine the hostile caller gets little time. The siege lasts until it has done what it is there for.
  const until = () => isToldAll
  const besieged = await measureCallers(base, callers, { seconds, everyMs: EVERY_MS, until })
  hostile.send('stop')
  const { statuses, seen } = await report.promise
  await ended
  return {
    calm,
    besieged,
    ratio: {
      latest: percentile(besieged.latest, 0.99) / percentile(calm.latest, 0.99),
      create: percentile(besieged.create, 0.99) / percentile(calm.create, 0.99),
    },
    peakMiB: peakOf(pid),
    told: statuses,
    seen,
  }
}

/** The highest memory use of a process so far. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
