// New beacons as an async iterator: every beacon after the call, in order, without gaps.

import type { Beacon } from '../../domain/beacons/beacon.ts'
import type { BeaconFeed, Replacement } from '../../domain/beacons/beacon_feed.ts'
import { refuse } from '../../kernel/refusal.ts'

/** The feed of `beaconCreated`. */
export type BeaconNews = Pick<BeaconFeed, 'onBeacon' | 'onReplaced'>

/** The most beacons that wait for a slow client, about four hours of them. With more, the connection is ended. */
const MOST_WAITING = 250

/**
 * Yields a Replacement when the chain was replaced, and drops waiting beacons of the lost chain. Listening starts
 * with the call, not with the first `next`, and ends with `return`.
 * @param onOverflow called when the client is too slow; beacons are lost for this connection
 */
export function beaconSource(
  { onBeacon, onReplaced }: BeaconNews,
  onOverflow: () => void,
  mostWaiting = MOST_WAITING,
): AsyncGenerator<Beacon | Replacement, undefined, undefined> {
  const waiting: (Beacon | Replacement)[] = []
  let wake: (() => void) | undefined
  let over = false
  const end = (): void => {
    over = true
    stop()
    stopReplaced()
    wake?.()
  }
  const stop = onBeacon(({ beacon }) => {
    if (waiting.length >= mostWaiting) {
      end()
      onOverflow()
      return
    }
    waiting.push(beacon)
    wake?.()
  })
  const stopReplaced = onReplaced((replacement) => {
    waiting.splice(0, waiting.length, replacement)
    wake?.()
  })
  const done = { done: true, value: undefined } as const
  return {
    next: async () => {
      for (;;) {
        if (over) return done
        const beacon = waiting.shift()
        if (beacon !== undefined) return { done: false, value: beacon }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    return: async () => {
      end()
      return done
    },
    throw: async (error: unknown) => {
      end()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
    [Symbol.asyncDispose]: async () => end(),
  }
}

/**
 * Returns the beacon. Throws a replaced chain as the error of this one event; the subscription
 * continues after the new head.
 */
export function beaconIn(news: Beacon | Replacement): Beacon {
  if (!('lost' in news)) return news
  throw refuse('chain_replaced', { meta: { head: news.head.beacon, lost: news.lost.beacon } })
}
