// A memory that holds so much and no more: what was not used for the longest makes room first.

export interface Lru<Key, Value> {
  /** Counts as use. */
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly clear: () => void
}

/**
 * @param most what all entries may weigh together
 * @param weigh what one weighs. The default is 1, so that entries are counted.
 */
export function lru<Key, Value extends object>(
  most: number,
  weigh: (value: Value) => number = () => 1,
): Lru<Key, Value> {
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
    get: (key: Key) => {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set: (key: Key, value: Value) => {
      drop(key)
      entries.set(key, value)
      weight += weigh(value)
      for (const oldest of entries.keys()) {
        if (weight <= most) return
        drop(oldest)
      }
    },
    clear: () => {
      entries.clear()
      weight = 0
    },
  })
}
