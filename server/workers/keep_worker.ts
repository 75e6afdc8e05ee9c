// Keeps one worker running: starts its process, tells it what it needs, and starts another one when it ends.
import cluster, { type Worker } from 'node:cluster'
import type { Log } from '../kernel/log.ts'
import { type Beginning, type FromWorker, isFromWorker, type ToWorker } from './messages.ts'

export interface KeptWorker {
  /** The number of the present process. It changes with every start. */
  readonly number: () => number
  /** The port for sessions of the present process. Undefined until it is ready. */
  readonly port: () => number | undefined
  /** The public origin, once it listens for the first time. Rejects when it ends before. */
  readonly ready: Promise<string>
  /** Does nothing while the process is not ready. */
  readonly tell: (message: ToWorker) => void
  /** Tells it to stop, starts no other, and resolves when it has ended. */
  readonly stop: () => Promise<void>
}

interface KeepWorker {
  readonly beginning: Omit<Beginning, 'number'>
  readonly log: Log
  /** Called when it became ready, and when it is ready no more. */
  readonly onChange: () => void
  readonly onMessage: (message: FromWorker, number: number, answer: (message: ToWorker) => void) => void
}

/** Milliseconds before the next start. Doubled with each end in a row, until one has run for so long. */
const PATIENCE = { firstMs: 500, mostMs: 30_000, calmMs: 60_000 } as const

/** Milliseconds. A worker that does not stop by then is ended. */
const STOP_MS = 6_000

export function keepWorker({ beginning, log, onChange, onMessage }: KeepWorker): KeptWorker {
  const first = Promise.withResolvers<string>()
  first.promise.catch(() => undefined)
  let worker: Worker | undefined
  let port: number | undefined
  let readyAt = Number.POSITIVE_INFINITY
  let wasReady = false
  let ends = 0
  let stopping = false
  let again: NodeJS.Timeout | undefined
  let ended: Promise<void> = Promise.resolve()

  const start = (): void => {
    const fresh = cluster.fork()
    worker = fresh
    let lastWords = ''
    const tell = (message: ToWorker): void => {
      // A process that ends meanwhile has no channel. Its end is reported by `exit`.
      if (fresh.isConnected()) fresh.send(message, () => undefined)
    }
    fresh.on('message', (message: unknown) => {
      if (!isFromWorker(message)) return
      if (message.kind === 'failed') lastWords = message.words
      if (message.kind === 'ready') {
        port = message.port
        readyAt = performance.now()
        wasReady = true
        log.info({ worker: fresh.id, pid: fresh.process.pid }, 'worker.ready')
        first.resolve(message.base)
        onChange()
      }
      onMessage(message, fresh.id, tell)
    })
    // A channel that breaks emits an error, which would end this process.
    fresh.on('error', () => undefined)
    ended = new Promise((resolve) => {
      fresh.once('exit', (code: number | null, signal: string | null) => {
        port = undefined
        resolve()
        onChange()
        if (!wasReady)
          first.reject(new Error(lastWords || `A worker ended at its start (${code ?? signal}).`))
        if (stopping || !wasReady) return
        ends = performance.now() - readyAt > PATIENCE.calmMs ? 1 : ends + 1
        readyAt = Number.POSITIVE_INFINITY
        const againMs = Math.min(PATIENCE.mostMs, PATIENCE.firstMs * 2 ** (ends - 1))
        log.error(
          {
            worker: fresh.id,
            pid: fresh.process.pid,
            code,
            signal,
            last_words: lastWords,
            again_in_ms: againMs,
          },
          'worker.ended',
        )
        again = setTimeout(start, againMs)
      })
    })
    tell({ kind: 'begin', beginning: { ...beginning, number: fresh.id } })
  }
  start()

  return Object.freeze({
    number: () => worker?.id ?? 0,
    port: () => port,
    ready: first.promise,
    tell: (message: ToWorker) => {
      if (port !== undefined && worker?.isConnected()) worker.send(message, () => undefined)
    },
    stop: async () => {
      stopping = true
      clearTimeout(again)
      if (worker?.isConnected()) worker.send({ kind: 'stop' } satisfies ToWorker, () => undefined)
      const tooLate = setTimeout(() => worker?.process.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(tooLate)
    },
  })
}
