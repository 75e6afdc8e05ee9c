// Work that several ask for while it is under way is done once, for all of them.

export interface UnderWay<Key, Value> {
  /** The work of this key: that which is under way, or else what `begin` begins. */
  readonly join: (key: Key, begin: () => Promise<Value>) => Promise<Value>
  readonly known: (key: Key) => Promise<Value> | undefined
  /** Who asks from now on joins no work that began before. */
  readonly forget: () => void
}

export function underWay<Key, Value>(): UnderWay<Key, Value> {
  const running = new Map<Key, Promise<Value>>()
  return Object.freeze({
    join: (key: Key, begin: () => Promise<Value>) => {
      const known = running.get(key)
      if (known !== undefined) return known
      const work = begin().finally(() => {
        if (running.get(key) === work) running.delete(key)
      })
      running.set(key, work)
      return work
    },
    known: (key: Key) => running.get(key),
    forget: () => running.clear(),
  })
}
