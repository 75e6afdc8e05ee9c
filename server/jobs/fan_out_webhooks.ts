// Turns facts into deliveries as soon as anybody says that there are some, and looks by itself now and then.

/** Milliseconds. A notice may be lost, and some facts have none. */
const LOOK_EVERY_MS = 1_000

export interface FanOutParts {
  /** A bounded piece; called again while there is more. */
  readonly fanOut: () => Promise<{
    readonly made: number
    readonly endpointIds: readonly string[]
    readonly more: boolean
  }>
  /** These endpoints have something due now. */
  readonly order: (endpointIds: readonly string[]) => Promise<void>
  /** There are new facts: that deliveries were made is one. */
  readonly announceFacts: () => void
  readonly onError: (error: unknown) => void
}

export interface FanOutLoop {
  /** There may be new facts. */
  readonly poke: () => void
  readonly close: () => Promise<void>
}

/** Any number of servers may run one: each takes the facts that nobody else holds. */
export function startFanOut({ fanOut, order, announceFacts, onError }: FanOutParts): FanOutLoop {
  let running: Promise<void> | undefined
  let again = false
  let closed = false

  const runAll = async (): Promise<void> => {
    for (let more = true; more && !closed; ) {
      const piece = await fanOut()
      more = piece.more
      if (piece.made > 0) announceFacts()
      // Not awaited: who is told next does not wait for who is being told.
      if (piece.endpointIds.length > 0) order(piece.endpointIds).catch(onError)
    }
  }

  const poke = (): void => {
    if (closed) return
    if (running !== undefined) {
      again = true
      return
    }
    again = false
    running = runAll()
      .catch(onError)
      .finally(() => {
        running = undefined
        if (again) poke()
      })
  }
  const timer = setInterval(poke, LOOK_EVERY_MS)

  return Object.freeze({
    poke,
    close: async () => {
      closed = true
      clearInterval(timer)
      await running
    },
  })
}
