// The digest of a local file, computed in this browser. The file is not uploaded.
import type { HashType } from '../../../shared/proof/claims.ts'
import type { HashOrder, HashWord } from './hash_worker.ts'

type HashFileOptions = {
  readonly type: HashType
  readonly signal: AbortSignal
  /** From 0 to 1. */
  readonly onProgress: (share: number) => void
}

/** Lowercase hex. Rejects when aborted, with the signal's reason, and when the file cannot be read. */
export const hashFile = (file: Blob, { type, signal, onProgress }: HashFileOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hash_worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void): void => {
      worker.terminate()
      signal.removeEventListener('abort', stop)
      settle()
    }
    const stop = (): void => end(() => reject(signal.reason))
    worker.onmessage = ({ data }: MessageEvent<HashWord>): void => {
      if (data.kind === 'progress') onProgress(file.size === 0 ? 1 : data.done / file.size)
      else if (data.kind === 'done') end(() => resolve(data.hex))
      else end(() => reject(new Error(data.why)))
    }
    worker.onerror = (): void => end(() => reject(new Error('This browser could not start hashing.')))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    const order: HashOrder = { file, type }
    worker.postMessage(order)
  })
