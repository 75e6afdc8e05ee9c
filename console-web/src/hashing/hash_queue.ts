// Hashes many local files, a few at a time, each in a worker of its own. Tells how far each is and how it ended.
import type { HashType } from '../../../shared/proof/claims.ts'
import { Store } from '../data/store.ts'
import { hashFile } from './hash_file.ts'

export type HashOutcome = { readonly hex: string } | { readonly why: string }

type Waiting = { readonly key: string; readonly file: Blob; readonly type: HashType }

/** Two keep the disk and two cores busy. */
const AT_ONCE = 2

export class HashQueue {
  /** The share done of each file that waits or is hashed, from 0 to 1, in whole percents. */
  readonly shares = new Store<ReadonlyMap<string, number>>(new Map())
  readonly #ended: (key: string, outcome: HashOutcome) => void
  readonly #running = new Map<string, AbortController>()
  #waiting: Waiting[] = []

  constructor(ended: (key: string, outcome: HashOutcome) => void) {
    this.#ended = ended
  }

  add(key: string, file: Blob, type: HashType): void {
    this.cancel(key)
    this.#waiting.push({ key, file, type })
    this.#show(key, 0)
    this.#next()
  }

  cancel(key: string): void {
    this.#waiting = this.#waiting.filter((one) => one.key !== key)
    this.#running.get(key)?.abort()
    this.#running.delete(key)
    this.#show(key, null)
    this.#next()
  }

  stop(): void {
    this.#waiting = []
    for (const lifetime of this.#running.values()) lifetime.abort()
    this.#running.clear()
    this.shares.write(new Map())
  }

  #next(): void {
    while (this.#running.size < AT_ONCE) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      void this.#hash(next)
    }
  }

  async #hash({ key, file, type }: Waiting): Promise<void> {
    const lifetime = new AbortController()
    const { signal } = lifetime
    this.#running.set(key, lifetime)
    const onProgress = (share: number): void => {
      if (!signal.aborted) this.#show(key, Math.floor(share * 100) / 100)
    }
    const outcome = await hashFile(file, { type, signal, onProgress }).then(
      (hex) => ({ hex }),
      (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }),
    )
    if (signal.aborted) return
    this.#running.delete(key)
    this.#show(key, null)
    this.#ended(key, outcome)
    this.#next()
  }

  #show(key: string, share: number | null): void {
    const shares = this.shares.read()
    if ((shares.get(key) ?? null) === share) return
    const next = new Map(shares)
    if (share === null) next.delete(key)
    else next.set(key, share)
    this.shares.write(next)
  }
}
