// The first process's side of several workers: they share one port, and show outside as one server. Each is kept
// running: another process is started when one ends.
import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../kernel/log.ts'
import type { Metrics, Snapshot } from '../kernel/metrics.ts'
import { type Beginning, type FromWorker, isOurs, Questions, type ToWorker } from './first_process.ts'

/** Milliseconds before the next start. Doubled with each end in a row, until one has run for so long. */
const PATIENCE = { firstMs: 500, mostMs: 30_000, calmMs: 60_000 } as const

/** Milliseconds. A worker that does not stop by then is ended. */
const STOP_MS = 6_000

interface Keeping extends Pick<StartWorkers, 'beginning' | 'log'> {
  /** Called when a worker became ready, and when it is ready no more. */
  readonly onChange: () => void
  readonly onMessage: (message: FromWorker, number: number, answer: (message: ToWorker) => void) => void
}

/** One place among the workers: the process that has it changes when one ends. */
class KeptWorker {
  readonly #keeping: Keeping
  readonly #first = Promise.withResolvers<string>()
  #worker: Worker | undefined
  #port: number | undefined
  #readyAt = Number.POSITIVE_INFINITY
  #wasReady = false
  #ends = 0
  #isStopping = false
  #again: NodeJS.Timeout | undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(keeping: Keeping) {
    this.#keeping = keeping
    this.#first.promise.catch(() => undefined)
    this.#start()
  }

  /** The number of the present process. It changes with every start. */
  get number(): number {
    return this.#worker?.id ?? 0
  }

  /** The port for sessions of the present process. Undefined until it is ready. */
  get port(): number | undefined {
    return this.#port
  }

  /** The public origin, once it listens for the first time. Rejects when it ends before. */
  get ready(): Promise<string> {
    return this.#first.promise
  }

  /** Does nothing while the process is not ready. */
  tell(message: ToWorker): void {
    if (this.#port !== undefined) send(this.#worker, message)
  }

  /** Tells it to stop, starts no other, and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#again)
    send(this.#worker, { kind: 'stop' })
    const tooLate = setTimeout(() => this.#worker?.process.kill('SIGKILL'), STOP_MS)
    await this.#ended
    clearTimeout(tooLate)
  }

  #start(): void {
    const { beginning, log, onChange, onMessage } = this.#keeping
    const fresh = cluster.fork()
    this.#worker = fresh
    let lastWords = ''
    fresh.on('message', (given: unknown) => {
      if (!isOurs<FromWorker>(given)) return
      const message = given.pharos
      if (message.kind === 'failed') lastWords = message.words
      if (message.kind === 'ready') {
        this.#port = message.port
        this.#readyAt = performance.now()
        this.#wasReady = true
        log.info({ worker: fresh.id, pid: fresh.process.pid }, 'worker.ready')
        this.#first.resolve(message.base)
        onChange()
      }
      onMessage(message, fresh.id, (answer) => send(fresh, answer))
    })
    // A channel that breaks emits an error, which would end this process.
    fresh.on('error', () => undefined)
    this.#ended = new Promise((resolve) => {
      fresh.once('exit', (code: number | null, signal: string | null) => {
        this.#port = undefined
        resolve()
        onChange()
        if (!this.#wasReady)
          this.#first.reject(new Error(lastWords || `A worker ended at its start (${code ?? signal}).`))
        if (this.#isStopping || !this.#wasReady) return
        this.#ends = performance.now() - this.#readyAt > PATIENCE.calmMs ? 1 : this.#ends + 1
        this.#readyAt = Number.POSITIVE_INFINITY
        const againMs = Math.min(PATIENCE.mostMs, PATIENCE.firstMs * 2 ** (this.#ends - 1))
        const { id: worker, process: ended } = fresh
        log.error(
          { worker, pid: ended.pid, code, signal, last_words: lastWords, again_in_ms: againMs },
          'worker.ended',
        )
        this.#again = setTimeout(() => this.#start(), againMs)
      })
    })
    send(fresh, { kind: 'begin', beginning: { ...beginning, number: fresh.id } })
  }
}

/** A process that ends meanwhile has no channel. Its end is reported by `exit`. */
function send(worker: Worker | undefined, message: ToWorker): void {
  if (worker?.isConnected()) worker.send({ pharos: message }, () => undefined)
}

/** Milliseconds. A worker that has not answered by then is left out of this scrape. */
const SCRAPE_MS = 2_000

/** Hears what workers measured, and answers the one that was scraped with what all others have. */
function gatherMetrics({ metrics, log }: StartWorkers, workers: readonly KeptWorker[]) {
  const measuring = new Questions<Snapshot>()
  const measure = async (worker: KeptWorker): Promise<Snapshot> =>
    (await measuring.ask((id) => worker.tell({ kind: 'measure', id }), SCRAPE_MS)) ?? []

  /** @param asker the number of the worker that told this message */
  return (message: FromWorker, asker: number, answer: (message: ToWorker) => void): void => {
    if (message.kind === 'measured') measuring.answer(message.id, message.snapshot)
    if (message.kind !== 'measure_others') return
    const others = workers.filter(({ port, number }) => port !== undefined && number !== asker)
    Promise.all([
      metrics.snapshot((err) => log.warn({ err }, 'metrics.not_read')),
      ...others.map(measure),
    ]).then(
      (snapshots) => answer({ kind: 'measured_others', id: message.id, snapshots }),
      (err: unknown) => log.warn({ err }, 'metrics.not_read'),
    )
  }
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
export async function startWorkers(options: StartWorkers) {
  const { count, program, beginning, metrics, log, throwIfStopped } = options
  // Each worker takes its connections from the shared port itself. Handed out by the first process, a connection would
  // be lost with a worker that is killed before it has it, and its client would wait in vain.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const [exec, ...args] = program
  cluster.setupPrimary({ exec, args })
  const workers: KeptWorker[] = []
  const tellAll = (message: ToWorker) => {
    for (const worker of workers) worker.tell(message)
  }
  options.onDatabaseTrouble?.((why) =>
    tellAll({ kind: 'database_trouble', ...(why === undefined ? {} : { why }) }),
  )
  const onMessage = gatherMetrics(options, workers)
  const onChange = (): void => {
    const ready = workers.flatMap(({ number, port }) => (port === undefined ? [] : [[number, port] as const]))
    metrics.set('pharos_workers', {}, ready.length)
    tellAll({ kind: 'ports', ports: Object.fromEntries(ready) })
  }
  /** Every worker answers what it has begun, and ends. */
  const close = async (): Promise<void> => {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  for (let index = 0; index < count; index += 1)
    workers.push(new KeptWorker({ beginning, log, onChange, onMessage }))
  try {
    const [base = ''] = await Promise.all(workers.map(({ ready }) => ready))
    throwIfStopped()
    return Object.freeze({
      /** The public origin. */
      base,
      /** Readiness fails on every worker. Requests are still answered. */
      withdraw: () => tellAll({ kind: 'withdraw' }),
      close,
    })
  } catch (error) {
    await close()
    throw error
  }
}
