// Workers that have hashed a file and wait for the next one, because starting one takes longer than hashing a small file.

const idle: Worker[] = []
const MOST = 2
/** Then nobody hashes any more, and the memory is freed. */
const REST_MS = 10_000
let end: ReturnType<typeof setTimeout> | undefined

export const takeWorker = (): Worker =>
  idle.pop() ?? new Worker(new URL('./hash_worker.ts', import.meta.url), { type: 'module' })

/** Its order has ended. */
export const restWorker = (worker: Worker): void => {
  worker.onmessage = null
  worker.onerror = null
  if (idle.length === MOST) endWorker(worker)
  else idle.push(worker)
  clearTimeout(end)
  end = setTimeout(() => {
    for (const rested of idle.splice(0)) endWorker(rested)
  }, REST_MS)
}

export const endWorker = (worker: Worker): void => worker.terminate()
