// Turns facts into deliveries as soon as anybody says that there are some, and looks by itself now and then.
import { type Repeating, repeat } from '../kernel/repeat.ts'

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
  readonly order: (endpointIds: readonly string[]) => void
  /** There are new facts: that deliveries were made is one. */
  readonly announceFacts: () => void
  readonly onError: (error: unknown) => void
}

/** Any number of servers may run one: each takes the facts that nobody else holds. */
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
