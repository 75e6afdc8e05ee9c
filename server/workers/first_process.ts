// A worker's side of its connection to the first process, and what the processes of one start tell each other. Only
// processes that we started ourselves take part.
import type { Snapshot } from '../kernel/metrics.ts'

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
  const measuring = new Questions<readonly Snapshot[]>()
  let ports: Ports = {}
  let databaseTrouble: string | undefined

  const tell = (message: FromWorker): void => {
    // Without a channel the first process is gone, and this worker is about to stop.
    if (process.connected) process.send?.({ pharos: message }, undefined, undefined, () => undefined)
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
        measure()
          .catch(() => [])
          .then((snapshot) => tell({ kind: 'measured', id: message.id, snapshot }))
        return
      case 'measured_others':
        measuring.answer(message.id, message.snapshots)
        return
      default:
        message satisfies never
    }
  }
  process.on('message', (message: unknown) => {
    if (isOurs<ToWorker>(message)) obey(message.pharos)
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
      const snapshots = await measuring.ask((id) => tell({ kind: 'measure_others', id }), PATIENCE_MS)
      if (snapshots === undefined) throw new Error('The first process did not answer with the metrics.')
      return snapshots
    },
  })
}

export type FirstProcess = ReturnType<typeof hearFirstProcess>

/** What a worker needs beside the settings. It contains secrets, so it never stands in the environment. */
export interface Beginning {
  /** A number that no other worker of this start ever had. */
  readonly number: number
  readonly databaseUrl: string
  readonly listenDatabaseUrl: string
  readonly masterKeyHex: string
  /** The node of the development chain, which the first process runs. Contains a password. */
  readonly embeddedNode: { readonly rpcUrl: string } | undefined
}

/** Ports on loopback at which the workers take each other's sessions, by the worker's number. */
export type Ports = Readonly<Record<number, number>>

export type ToWorker =
  | { readonly kind: 'begin'; readonly beginning: Beginning }
  | { readonly kind: 'ports'; readonly ports: Ports }
  /** Why the embedded database is away at the moment. */
  | { readonly kind: 'database_trouble'; readonly why?: string }
  | { readonly kind: 'withdraw' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'measure'; readonly id: number }
  /** The answer to `measure_others`. */
  | { readonly kind: 'measured_others'; readonly id: number; readonly snapshots: readonly Snapshot[] }

export type FromWorker =
  /** `port` takes sessions of this worker that reached another one. */
  | { readonly kind: 'ready'; readonly base: string; readonly port: number }
  | { readonly kind: 'failed'; readonly words: string }
  | { readonly kind: 'measured'; readonly id: number; readonly snapshot: Snapshot }
  /** A scrape has reached this worker: it asks for the metrics of all other processes. */
  | { readonly kind: 'measure_others'; readonly id: number }

/** Libraries may send messages of their own, so ours are told by their one member. */
export const isOurs = <Message extends ToWorker | FromWorker>(
  given: unknown,
): given is { readonly pharos: Message } => typeof given === 'object' && given !== null && 'pharos' in given

/** What was asked of another process, and waits for its answer. */
export class Questions<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #last = 0

  /** Undefined when the answer is late. */
  async ask(send: (id: number) => void, patienceMs: number): Promise<Answer | undefined> {
    this.#last += 1
    const id = this.#last
    const answered = Promise.withResolvers<Answer | undefined>()
    const timer = setTimeout(() => answered.resolve(undefined), patienceMs)
    this.#waiting.set(id, answered.resolve)
    send(id)
    const answer = await answered.promise
    clearTimeout(timer)
    this.#waiting.delete(id)
    return answer
  }

  answer(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer)
  }
}
