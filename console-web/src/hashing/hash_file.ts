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

const idle: Worker[] = []
/** Then nobody hashes any more, and the memory is freed. */
const REST_MS = 10_000
let rest: ReturnType<typeof setTimeout> | undefined

/** Lowercase hex. Rejects when aborted, with the signal's reason, and when the file cannot be read. */
export const hashFile = async (file: Blob, options: HashFileOptions): Promise<string> => {
  if (running === AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    options.signal.throwIfAborted()
    const worker = idle.pop() ?? new Worker(new URL('./hash_worker.ts', import.meta.url), { type: 'module' })
    const hex = await hashIn(worker, file, options).catch((error: unknown) => {
      // It cannot be interrupted otherwise.
      worker.terminate()
      throw error
    })
    idle.push(worker)
    clearTimeout(rest)
    rest = setTimeout(() => {
      for (const rested of idle.splice(0)) rested.terminate()
    }, REST_MS)
    return hex
  } finally {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
}

const hashIn = (worker: Worker, file: Blob, { type, signal, onProgress }: HashFileOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<HashWord>): void => {
      if (data.kind === 'progress') onProgress(file.size === 0 ? 1 : data.done / file.size)
      else if (data.kind === 'done') resolve(data.hex)
      else reject(new Error(data.why))
    }
    worker.onerror = (): void => reject(new Error('This browser could not start hashing.'))
    signal.addEventListener('abort', () => reject(signal.reason))
    const order: HashOrder = { file, type }
    worker.postMessage(order)
  })
