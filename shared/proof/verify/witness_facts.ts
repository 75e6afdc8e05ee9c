// An item's witnesses: what its metadata commits to, what the bundle carries, and when each was published.
import { type Carried, carried, type ReadSubject, readBlock } from '../bundle/bundle_parts.ts'
import { jsonHash } from '../composites.ts'
import { ENTROPY_READERS } from '../entropy/entropy_readers.ts'
import { isEntropyName } from '../entropy_names.ts'
import { isJsonObject, type JsonObject, memberOf } from '../json_value.ts'
import { uuid7Time } from '../uuid7.ts'
import { hexBytes, sameBytes, textOf } from './carried_values.ts'
import { derivedBlockHash } from './derived_hashes.ts'

/**
 * `unknown`: the service has no witness of that name. `matched` and `unmatched`: both committed and carried.
 */
type WitnessState = 'unknown' | 'not_carried' | 'not_committed' | 'matched' | 'unmatched'

export interface WitnessFact {
  readonly name: string
  readonly state: WitnessState
  /** The carried detail, when it is a map. */
  readonly detail: JsonObject | undefined
  /** The hash of the detail. */
  readonly hash: Uint8Array | undefined
  /** Milliseconds since 1970, when the detail states the time. */
  readonly publishedAt: number | undefined
}

/** All names that are committed or carried, sorted. */
export function witnessFacts(subject: ReadSubject): WitnessFact[] {
  const committed = membersOf(subject.committedWitnesses)
  const details = membersOf(subject.witnesses)
  const names = new Set([
    ...Object.keys(committed),
    ...Object.keys(details).filter((name) => carried(details, name) !== undefined),
  ])
  return [...names].sort().map((name) => witnessFact(name, committed, carried(details, name)))
}

function witnessFact(name: string, committed: JsonObject, carriedDetail: Carried): WitnessFact {
  const detail = isJsonObject(carriedDetail) ? carriedDetail : undefined
  const isBlock = name === 'block'
  const nothing = { name, detail, hash: undefined, publishedAt: undefined }
  if (!isBlock && !isEntropyName(name)) return { ...nothing, state: 'unknown' }
  if (carriedDetail === undefined) return { ...nothing, state: 'not_carried' }
  if (!Object.hasOwn(committed, name)) return { ...nothing, state: 'not_committed' }
  if (detail === undefined) return { ...nothing, state: 'unmatched' }
  const hash = isBlock ? derivedBlockHash(readBlock(detail)) : jsonHash('entropy', detail)
  const isMatched = sameBytes(hash, hexBytes(memberOf(committed, name) ?? undefined, 32))
  const publishedAt = isEntropyName(name)
    ? ENTROPY_READERS[name].publishedAt(detail)
    : uuid7Time(textOf(carried(detail, 'id')) ?? '')
  return { name, state: isMatched ? 'matched' : 'unmatched', detail, hash, publishedAt }
}

/** Empty when the value is not a map. */
function membersOf(value: Carried): JsonObject {
  return isJsonObject(value) ? value : {}
}
