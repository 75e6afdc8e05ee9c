// Mines by need: looks every now and then whether something has waited long enough.

export interface MiningClockOptions {
  readonly everyMs: number
  /** Mines when it is due. */
  readonly mine: () => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/** Every server runs one; who is first under the chain's lock mines, and the others find nothing left to do. */
export function startMiningClock({ everyMs, mine, onError }: MiningClockOptions): {
  readonly close: () => Promise<void>
} {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const later = (): void => {
    timer = setTimeout(() => {
      running = mine()
        .then(() => undefined, onError)
        .then(() => (closed ? undefined : later()))
    }, everyMs)
  }
  later()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
