// A worker's side of its connection to the first process.
import type { Snapshot } from '../kernel/metrics.ts'
import { type Beginning, type FromWorker, isToWorker, type Ports, type ToWorker } from './messages.ts'

/** Milliseconds. Longer than the first process waits for the others. */
const PATIENCE_MS = 4_000

export function hearFirstProcess({
  withdraw,
  stop,
  measure,
}: {
  readonly withdraw: () => void
  /** Also called when the first process is gone. */
  readonly stop: (reason: string) => void
  /** This worker's own metrics. */
  readonly measure: () => Promise<Snapshot>
}) {
  const beginning = Promise.withResolvers<Beginning>()
  const waiting = new Map<number, (snapshots: readonly Snapshot[]) => void>()
  let ports: Ports = {}
  let databaseTrouble: string | undefined
  let asked = 0

  const tell = (message: FromWorker): void => {
    // Without a channel the first process is gone, and this worker is about to stop.
    if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
  }
  const obey = (message: ToWorker): void => {
    switch (message.kind) {
      case 'begin':
        beginning.resolve(message.beginning)
        return
      case 'ports':
        ports = message.ports
        return
      case 'database_trouble':
        databaseTrouble = message.why
        return
      case 'withdraw':
        withdraw()
        return
      case 'stop':
        stop('the first process stops')
        return
      case 'measure':
        measure().then(
          (snapshot) => tell({ kind: 'measured', id: message.id, snapshot }),
          () => tell({ kind: 'measured', id: message.id, snapshot: [] }),
        )
        return
      case 'measured_others':
        waiting.get(message.id)?.(message.snapshots)
        return
      default:
        message satisfies never
    }
  }
  process.on('message', (message: unknown) => {
    if (isToWorker(message)) obey(message)
  })
  process.on('disconnect', () => stop('the first process is gone'))
  return Object.freeze({
    beginning: beginning.promise,
    /** Ports of the other workers at present. */
    ports: () => ports,
    /** Why the embedded database is away at the moment. */
    databaseTrouble: () => databaseTrouble,
    tell,
    /** The metrics of the other processes of this start. Those of a process that is late are missing. */
    measureOthers: async (): Promise<readonly Snapshot[]> => {
      asked += 1
      const id = asked
      const all = Promise.withResolvers<readonly Snapshot[]>()
      const timer = setTimeout(
        () => all.reject(new Error('The first process did not answer with the metrics.')),
        PATIENCE_MS,
      )
      waiting.set(id, all.resolve)
      tell({ kind: 'measure_others', id })
      try {
        return await all.promise
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
  })
}

export type FirstProcess = ReturnType<typeof hearFirstProcess>
