// New beacons as something to iterate over: each one from the moment it is asked for, in order, none left out.

import type { Beacon } from '../../domain/beacons/beacon.ts'
import type { BeaconFeed } from '../../domain/beacons/beacon_feed.ts'

/** Beacons that wait for a client that does not read; hours of them. Beyond that it is cut off. */
export const MOST_WAITING = 250

/**
 * Listening begins with the call, not with the first `next`, and ends with `return`.
 * @param onOverflow the client does not keep up: what it has missed cannot be made good on this connection
 */
export function beaconSource(
  { onBeacon }: Pick<BeaconFeed, 'onBeacon'>,
  onOverflow: () => void,
  mostWaiting = MOST_WAITING,
): AsyncGenerator<Beacon, undefined, undefined> {
  const waiting: Beacon[] = []
  let wake: (() => void) | undefined
  let over = false
  const end = (): void => {
    over = true
    stop()
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
