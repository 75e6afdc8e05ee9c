// Reads beacons: the bare object of the stream and of single requests, and the page document of the list.
import { isHex } from '../../../shared/proof/bytes.ts'
import { isUuid7 } from '../../../shared/proof/ids.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, objectAt, textAt } from '../data/json_object.ts'
import { nextPath } from '../data/resource.ts'

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

type BeaconPage = {
  readonly beacons: readonly Beacon[]
  /** Path and query of the next older page. Null when the page ends with the genesis block. */
  readonly next: string | null
}

export const readBeaconPage = (document: unknown): BeaconPage => {
  const data = isJsonObject(document) ? document.data : undefined
  if (!Array.isArray(data)) throw unreadable()
  const beacons = data.map((entry: unknown) => {
    const beacon = readBeacon({ ...objectAt(entry, 'attributes'), id: textAt(entry, 'id') })
    if (beacon === null) throw unreadable()
    return beacon
  })
  return { beacons, next: nextPath(document) }
}

const isHash = (text: string): boolean => isHex(text, 32)

const unreadable = (): ApiFailure =>
  new ApiFailure('unreadable', 'The server sent a page of beacons this page cannot read.')
