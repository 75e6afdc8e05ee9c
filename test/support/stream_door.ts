// The admission of stream connections for tests: one address, no charges, unless a test sets them.
import { pino } from 'pino'
import { openStreamDoor, type StreamDoor, socketPlaces } from '../../server/admission/places.ts'
import type { Charge } from '../../server/domain/limits/charge.ts'

export interface TestDoorOptions {
  readonly server?: number
  readonly address?: number
  /** Milliseconds that a handshake must wait. 0 admits it. */
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
    log: pino({ level: 'silent' }),
    onRefused: () => undefined,
  })

const chargeOf = (retryAfterMs: number): Charge => ({
  budget: 'jsonapi_address',
  allowed: retryAfterMs === 0,
  limit: 1_000,
  remaining: 0,
  retryAfterMs,
})
