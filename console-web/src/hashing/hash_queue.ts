// Hashes many local files. Tells how far each is and how it ended.
import type { HashType } from '../../../shared/proof/claims.ts'
import { Store } from '../data/store.ts'
import { hashFile } from './hash_file.ts'

type HashOutcome = { readonly hex: string } | { readonly why: string }

/** Ends are told together, so that a thousand small files do not draw the page a thousand times. */
const TELL_MS = 100

export class HashQueue {
  /** The share done of each file that waits or is hashed, from 0 to 1, in whole percents. */
  readonly shares = new Store<ReadonlyMap<string, number>>(new Map())
  readonly #tell: (outcomes: ReadonlyMap<string, HashOutcome>) => void
  readonly #running = new Map<string, AbortController>()
  #ended = new Map<string, HashOutcome>()

  constructor(tell: (outcomes: ReadonlyMap<string, HashOutcome>) => void) {
    this.#tell = tell
  }

  add(key: string, file: Blob, type: HashType): void {
    this.cancel(key)
    this.#show(key, 0)
    void this.#hash(key, file, type)
  }

  cancel(key: string): void {
    this.#running.get(key)?.abort()
    this.#running.delete(key)
    this.#ended.delete(key)
    this.#show(key, null)
  }

  stop(): void {
    this.#ended.clear()
    for (const lifetime of this.#running.values()) lifetime.abort()
    this.#running.clear()
    this.shares.write(new Map())
  }

  async #hash(key: string, file: Blob, type: HashType): Promise<void> {
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
