// Hashes many local files, a few at a time, each in a worker of its own. Tells how far each is and how it ended.
import type { HashType } from '../../../shared/proof/claims.ts'
import { Store } from '../data/store.ts'
import { hashFile } from './hash_file.ts'

export type HashOutcome = { readonly hex: string } | { readonly why: string }

type Waiting = { readonly key: string; readonly file: Blob; readonly type: HashType }

/** Two keep the disk and two cores busy. */
const AT_ONCE = 2
/** Ends are told together, so that a thousand small files do not draw the page a thousand times. */
const TELL_MS = 100

export class HashQueue {
  /** The share done of each file that waits or is hashed, from 0 to 1, in whole percents. */
  readonly shares = new Store<ReadonlyMap<string, number>>(new Map())
  readonly #tell: (outcomes: ReadonlyMap<string, HashOutcome>) => void
  readonly #running = new Map<string, AbortController>()
  #waiting: Waiting[] = []
  #ended = new Map<string, HashOutcome>()

  constructor(tell: (outcomes: ReadonlyMap<string, HashOutcome>) => void) {
    this.#tell = tell
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
    this.#ended.delete(key)
    this.#show(key, null)
    this.#next()
  }

  stop(): void {
    this.#waiting = []
    this.#ended.clear()
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
      if (!signal.aborted && share < 1) this.#show(key, Math.floor(share * 100) / 100)
    }
    const outcome = await hashFile(file, { type, signal, onProgress }).then(
      (hex) => ({ hex }),
      (error: unknown) => ({ why: error instanceof Error ? error.message : String(error) }),
    )
    if (signal.aborted) return
    this.#running.delete(key)
    this.#ended.set(key, outcome)
    if (this.#ended.size === 1) setTimeout(() => this.#tellEnded(), TELL_MS)
    this.#next()
  }

  #tellEnded(): void {
    const outcomes = this.#ended
    this.#ended = new Map()
    if (outcomes.size === 0) return
    this.shares.write(new Map([...this.shares.read()].filter(([key]) => !outcomes.has(key))))
    this.#tell(outcomes)
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
