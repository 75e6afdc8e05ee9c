// New beacons as something to iterate over: each one from the moment it is asked for, in order, none left out.

import type { Beacon } from '../../domain/beacons/beacon.ts'
import type { BeaconFeed, Replacement } from '../../domain/beacons/beacon_feed.ts'
import { refuse } from '../../kernel/refusal.ts'

/** What `beaconCreated` is fed by. */
export type BeaconNews = Pick<BeaconFeed, 'onBeacon' | 'onReplaced'>

/** Beacons that wait for a client that does not read; hours of them. Beyond that it is cut off. */
export const MOST_WAITING = 250

/**
 * A replaced chain stands between the beacons as what it is; what was waiting of the lost one is dropped.
 * Listening begins with the call, not with the first `next`, and ends with `return`.
 * @param onOverflow the client does not keep up: what it has missed cannot be made good on this connection
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

/** The beacon, or the break as the error of this one event: the subscription goes on with what follows the new head. */
export function beaconIn(news: Beacon | Replacement): Beacon {
  if (!('lost' in news)) return news
  throw refuse('chain_replaced', { meta: { head: news.head.beacon, lost: news.lost.beacon } })
}
