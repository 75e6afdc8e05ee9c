// The first process's side of several workers: they share one port, and show outside as one server.
import cluster from 'node:cluster'
import type { Log } from '../kernel/log.ts'
import type { Metrics, Snapshot } from '../kernel/metrics.ts'
import { type KeptWorker, keepWorker } from './keep_worker.ts'
import type { Beginning, FromWorker, ToWorker } from './messages.ts'

/** Milliseconds. A worker that has not answered by then is left out of this scrape. */
const PATIENCE_MS = 2_000

function gatherMetrics({
  metrics,
  log,
  workers,
}: {
  readonly metrics: Metrics
  readonly log: Log
  readonly workers: () => readonly KeptWorker[]
}) {
  const waiting = new Map<number, (snapshot: Snapshot) => void>()
  let asked = 0

  const measure = async (worker: KeptWorker): Promise<Snapshot> => {
    asked += 1
    const id = asked
    const late = Promise.withResolvers<Snapshot>()
    const timer = setTimeout(() => late.resolve([]), PATIENCE_MS)
    waiting.set(id, late.resolve)
    worker.tell({ kind: 'measure', id })
    const measured = await late.promise
    clearTimeout(timer)
    waiting.delete(id)
    return measured
  }

  return Object.freeze({
    /** @param asker the number of the worker that told this message */
    hear: (message: FromWorker, asker: number, answer: (message: ToWorker) => void): void => {
      if (message.kind === 'measured') waiting.get(message.id)?.(message.snapshot)
      if (message.kind !== 'measure_others') return
      const others = workers().filter((one) => one.port() !== undefined && one.number() !== asker)
      Promise.all([
        metrics.snapshot((err) => log.warn({ err }, 'metrics.not_read')),
        ...others.map(measure),
      ]).then(
        (snapshots) => answer({ kind: 'measured_others', id: message.id, snapshots }),
        (err: unknown) => log.warn({ err }, 'metrics.not_read'),
      )
    },
  })
}

interface Workers {
  /** The public origin. */
  readonly base: string
  /** Readiness fails on every worker. Requests are still answered. */
  readonly withdraw: () => void
  /** Every worker answers what it has begun, and ends. */
  readonly close: () => Promise<void>
}

export interface StartWorkers {
  readonly count: number
  /** The program of a worker: a file and its arguments. */
  readonly program: readonly [file: string, ...args: string[]]
  readonly beginning: Omit<Beginning, 'number'>
  /** Those of this process. A scrape shows them with the workers'. */
  readonly metrics: Metrics
  readonly log: Log
  /** Calls back when the embedded database goes away, and when it is there again. */
  readonly onDatabaseTrouble?: (told: (why: string | undefined) => void) => void
  /** Asked between the steps of the start. @throws when a stop was requested */
  readonly throwIfStopped: () => void
}

/**
 * Each worker listens on the same port. Returns when all of them do.
 * @throws with the words of the first worker that did not start
 */
export async function startWorkers(options: StartWorkers): Promise<Workers> {
  const { count, program, beginning, metrics, log, throwIfStopped } = options
  // Each worker takes its connections from the shared port itself. Handed out by the first process, a connection would
  // be lost with a worker that is killed before it has it, and its client would wait in vain.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const [exec, ...args] = program
  cluster.setupPrimary({ exec, args })
  const workers: KeptWorker[] = []
  const tellAll = (message: ToWorker) => {
    for (const { tell } of workers) tell(message)
  }
  options.onDatabaseTrouble?.((why) =>
    tellAll({ kind: 'database_trouble', ...(why === undefined ? {} : { why }) }),
  )
  const gather = gatherMetrics({ metrics, log, workers: () => workers })
  const onChange = (): void => {
    const ready = workers.flatMap((one) => {
      const port = one.port()
      return port === undefined ? [] : [[one.number(), port] as const]
    })
    metrics.set('pharos_workers', {}, ready.length)
    tellAll({ kind: 'ports', ports: Object.fromEntries(ready) })
  }
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  for (let index = 0; index < count; index += 1)
    workers.push(keepWorker({ beginning, log, onChange, onMessage: gather.hear }))
  try {
    const [base = ''] = await Promise.all(workers.map(({ ready }) => ready))
    throwIfStopped()
    return Object.freeze({ base, withdraw: () => tellAll({ kind: 'withdraw' }), close })
  } catch (error) {
    await close()
    throw error
  }
}
