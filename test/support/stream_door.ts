// The door of the streams as tests need it: everybody is one address, nothing is charged, unless a test says so.
import type { Charge } from '../../server/domain/limits/charge.ts'
import { socketPlaces } from '../../server/surfaces/http/socket_places.ts'
import { openStreamDoor, type StreamDoor } from '../../server/surfaces/http/stream_door.ts'

export interface TestDoorOptions {
  readonly server?: number
  readonly address?: number
  /** Milliseconds that a handshake has to wait; 0 lets it in. */
  readonly waitMs?: () => number
}

export const openTestDoor = ({
  server = 10_000,
  address = 10_000,
  waitMs = () => 0,
}: TestDoorOptions = {}): StreamDoor =>
  openStreamDoor({
    addressOf: () => '127.0.0.1',
    charge: () => chargeOf(waitMs()),
    places: socketPlaces({ server, address }),
  })

const chargeOf = (retryAfterMs: number): Charge => ({
  budget: 'jsonapi_address',
  allowed: retryAfterMs === 0,
  limit: 1_000,
  remaining: 0,
  retryAfterMs,
})
