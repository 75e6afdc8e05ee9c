// A typical Socket.IO client of the beacons: it reconnects by itself and resumes after the last beacon that it saw.
import type { Beacon } from '../../shared/wire/console_stream.ts'
import { openClient } from '../surfaces/console/console_client.ts'

export interface BeaconFollower {
  /** Every beacon that was pushed, in the order of arrival. */
  readonly held: readonly Beacon[]
  /** How many subscriptions were accepted so far: one, and one more for each time it came back. */
  readonly joined: () => number
  readonly close: () => void
}

export function followBeacons(base: string, key: string): BeaconFollower {
  const { socket, ask } = openClient(base, { auth: { token: key }, reconnection: true })
  const held: Beacon[] = []
  let joined = 0
  socket.on('beacon.created', (beacon: Beacon) => void held.push(beacon))
  socket.on('welcome', ({ head }: { head: Beacon }) => {
    ask('subscribe', { stream: 'beacons', after: held.at(-1)?.id ?? head.id }).then(
      () => {
        joined += 1
      },
      // The connection ended first. The next one has a welcome of its own.
      () => undefined,
    )
  })
  return { held, joined: () => joined, close: () => void socket.disconnect() }
}
