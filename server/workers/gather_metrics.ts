// Answers a worker that a scrape has reached with the metrics of all other processes of this start.
import type { Log } from '../kernel/log.ts'
import type { Metrics, Snapshot } from '../kernel/metrics.ts'
import type { KeptWorker } from './keep_worker.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/** Milliseconds. A worker that has not answered by then is left out of this scrape. */
const PATIENCE_MS = 2_000

export function gatherMetrics({
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
