// The calls that this server is running, so that a notice of the client can end one (2025-11-25; later clients close
// the connection instead).

export interface CallsUnderWay {
  /** @returns the function that takes the call out again */
  readonly begin: (key: string, end: () => void) => () => void
  /**
   * Ends the call with this key. When several have it, none is ended, because clients that share a token count alike.
   * A call of another server goes on: the protocol lets notices be ignored.
   */
  readonly cancel: (key: string) => void
}

/** The number of keys is that of requests under way, which has a ceiling. */
export function callsUnderWay(): CallsUnderWay {
  const running = new Map<string, Set<() => void>>()
  return Object.freeze({
    begin: (key: string, end: () => void) => {
      const ends = running.get(key) ?? new Set()
      running.set(key, ends.add(end))
      return () => {
        ends.delete(end)
        if (ends.size === 0) running.delete(key)
      }
    },
    cancel: (key: string) => {
      const [end, ...others] = running.get(key) ?? []
      if (others.length === 0) end?.()
    },
  })
}
