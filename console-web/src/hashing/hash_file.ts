// The digest of a local file, computed in this browser in a worker. The file is not uploaded.
import type { HashType } from '../../../shared/proof/claims.ts'
import type { HashOrder, HashWord } from './hash_worker.ts'

type HashFileOptions = {
  readonly type: HashType
  readonly signal: AbortSignal
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Two keep the disk and two cores busy. The others wait. */
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

/** Lowercase hex. Rejects when aborted, with the signal's reason, and when the file cannot be read. */
export const hashFile = async (file: Blob, options: HashFileOptions): Promise<string> => {
  if (running === AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    options.signal.throwIfAborted()
    return await hashIn(takeWorker(), file, options)
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

const hashIn = (worker: Worker, file: Blob, { type, signal, onProgress }: HashFileOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const end = (release: (worker: Worker) => void, settle: () => void): void => {
      release(worker)
      signal.removeEventListener('abort', stop)
      settle()
    }
    // A worker cannot be interrupted otherwise.
    const stop = (): void => end(endWorker, () => reject(signal.reason))
    worker.onmessage = ({ data }: MessageEvent<HashWord>): void => {
      if (data.kind === 'progress') onProgress(file.size === 0 ? 1 : data.done / file.size)
      else if (data.kind === 'done') end(restWorker, () => resolve(data.hex))
      else end(restWorker, () => reject(new Error(data.why)))
    }
    worker.onerror = (): void =>
      end(endWorker, () => reject(new Error('This browser could not start hashing.')))
    signal.addEventListener('abort', stop)
    const order: HashOrder = { file, type }
    worker.postMessage(order)
  })

const idle: Worker[] = []
/** Then nobody hashes any more, and the memory is freed. */
const REST_MS = 10_000
let end: ReturnType<typeof setTimeout> | undefined

const takeWorker = (): Worker =>
  idle.pop() ?? new Worker(new URL('./hash_worker.ts', import.meta.url), { type: 'module' })

/** Its order has ended. */
const restWorker = (worker: Worker): void => {
  worker.onmessage = null
  worker.onerror = null
  idle.push(worker)
  clearTimeout(end)
  end = setTimeout(() => {
    for (const rested of idle.splice(0)) endWorker(rested)
  }, REST_MS)
}

const endWorker = (worker: Worker): void => worker.terminate()
