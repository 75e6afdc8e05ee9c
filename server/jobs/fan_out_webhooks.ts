// Turns facts into deliveries. It runs when new facts are announced, and once a second in any case.
import { type Repeating, repeat } from '../kernel/flow/repeat.ts'

/** Milliseconds. Needed because an announcement may be lost, and some facts are not announced. */
const LOOK_EVERY_MS = 1_000

interface FanOutParts {
  /** Handles a bounded number of facts. It is called again while `more` is true. */
  readonly fanOut: () => Promise<{
    readonly made: number
    readonly endpointIds: readonly string[]
    readonly more: boolean
  }>
  /** Tells the delivery loop that these endpoints have due deliveries now. */
  readonly order: (endpointIds: readonly string[]) => void
  /** Announces new facts. Each new delivery is itself a fact. */
  readonly announceFacts: () => void
  readonly onError: (error: unknown) => void
}

/** Any number of servers may run this, because each skips the facts that another one has locked. */
export const startFanOut = ({ fanOut, order, announceFacts, onError }: FanOutParts): Repeating =>
  repeat({
    everyMs: LOOK_EVERY_MS,
    onError,
    run: async (signal) => {
      for (let more = true; more && !signal.aborted; ) {
        const piece = await fanOut()
        more = piece.more
        if (piece.made > 0) announceFacts()
        if (piece.endpointIds.length > 0) order(piece.endpointIds)
      }
    },
  })
