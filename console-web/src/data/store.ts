// One value with listeners, the only kind of shared state on the page. Values are replaced, never changed in
// place.
import { useSyncExternalStore } from 'react'

export class Store<T> {
  #value: T
  readonly #listeners = new Set<() => void>()

  constructor(initial: T) {
    this.#value = initial
  }

  read = (): T => this.#value

  write(next: T): void {
    if (Object.is(next, this.#value)) return
    this.#value = next
    for (const listener of [...this.#listeners]) listener()
  }

  /** The rest of the value stays as it is. */
  change(part: Partial<T>): void {
    this.write({ ...this.#value, ...part })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.read)
