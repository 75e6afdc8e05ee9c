// Reads beacons: the bare object of the stream and of single requests, and the page document of the list.
import { isUuid7 } from '../../../shared/proof/ids.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { unreadable } from '../data/api_failure.ts'
import { pageOf } from '../data/resource.ts'
import { textAt } from '../data/shape.ts'

/** Null when it is not a beacon. Drops members other than the four of a beacon. */
export const readBeacon = (value: unknown): Beacon | null => {
  const id = textAt(value, 'id')
  const hash = textAt(value, 'hash')
  const timestamp = textAt(value, 'timestamp')
  const previous = textAt(value, 'previous_hash')
  if (id === null || hash === null || timestamp === null || previous === null) return null
  if (!isUuid7(id) || !isHash(hash) || !isHash(previous) || Number.isNaN(Date.parse(timestamp))) return null
  return { id, hash, timestamp, previous_hash: previous }
}

/** @throws ApiFailure */
export const readBeaconPage = pageOf((members) => {
  const beacon = readBeacon(members)
  if (beacon === null) throw unreadable('a page of beacons')
  return beacon
})

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
