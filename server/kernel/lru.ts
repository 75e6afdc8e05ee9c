// A memory that holds so much and no more: what was not used for the longest makes room first; and how any memory is asked.

/** Anything that keeps values under keys, e.g. a WeakMap, which keeps them as long as their keys are there. */
interface Memory<Key, Value> {
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => unknown
}

/** The value of the key, which is made and kept when it is asked for first. */
export function kept<Key, Value>(memory: Memory<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = memory.get(key)
  if (known !== undefined) return known
  const made = make(key)
  memory.set(key, made)
  return made
}

export type Lru<Key, Value extends object> = ReturnType<typeof lru<Key, Value>>

/**
 * @param most what all entries may weigh together
 * @param weigh what one weighs. The default is 1, so that entries are counted.
 */
export function lru<Key, Value extends object>(most: number, weigh: (value: Value) => number = () => 1) {
  // A Map keeps insertion order, so inserting again makes the entry the newest.
  const entries = new Map<Key, Value>()
  let weight = 0
  const drop = (key: Key): void => {
    const value = entries.get(key)
    if (value === undefined) return
    entries.delete(key)
    weight -= weigh(value)
  }
  return Object.freeze({
    /** Counts as use. */
    get: (key: Key): Value | undefined => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key: Key, value: Value): void => {
      drop(key)
      entries.set(key, value)
      weight += weigh(value)
      for (const oldest of entries.keys()) {
        if (weight <= most) return
        drop(oldest)
      }
    },
    clear: (): void => {
      entries.clear()
      weight = 0
    },
  })
}

/** Makes it when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
