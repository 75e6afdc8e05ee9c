// The full block of a beacon, from GET /api/json/blocks: the parts of the block hash, and the document as
// received.
import { isHex } from '../../../shared/proof/bytes.ts'
import { uuid7Time } from '../../../shared/proof/ids.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { unreadable } from '../data/api_failure.ts'
import { numberAt, textAt } from '../data/json_object.ts'
import { memberAt, readPage } from '../data/resource.ts'

export type Block = {
  readonly id: string
  readonly height: number
  readonly hash: string
  readonly previousHash: string
  readonly merkleRoot: string
  readonly metadata: JsonObject
  readonly metadataHash: string
  readonly keyId: string
  readonly state: string
  readonly itemCount: number | null
  /** The time in the id, where the document does not carry it. */
  readonly finalizedAt: string
  readonly committedAt: string | null
  /** The resource object as received, for display in the drawer. */
  readonly raw: JsonObject
}

export const readBlockDocument = (document: JsonValue): Block => readBlock(memberAt(document, 'data'))

/** @throws ApiFailure */
export const readBlockPage = readPage(({ raw }) => readBlock(raw))

export const readBlock = (resource: JsonValue | undefined): Block => {
  const attributes = memberAt(resource, 'attributes')
  const id = textAt(resource, 'id')
  const height = numberAt(attributes, 'height')
  const hash = textAt(attributes, 'block_hash')
  const previousHash = textAt(attributes, 'previous_block_hash')
  const merkleRoot = textAt(attributes, 'merkle_root')
  const metadata = memberAt(attributes, 'metadata')
  const metadataHash = textAt(attributes, 'metadata_hash')
  const keyId = textAt(attributes, 'signing_key_id')
  if (!isJsonObject(resource) || id === null || height === null || !isJsonObject(metadata))
    throw unreadable('a block')
  if (hash === null || previousHash === null || merkleRoot === null || metadataHash === null)
    throw unreadable('a block')
  if (keyId === null || !isHex(keyId, 4)) throw unreadable('a block')
  if (![hash, previousHash, merkleRoot, metadataHash].every((text) => isHex(text, 32)))
    throw unreadable('a block')
  const state = textAt(attributes, 'state') ?? 'finalized'
  const itemCount = numberAt(attributes, 'item_count')
  const finalizedAt = textAt(attributes, 'finalized_at') ?? timeOf(id)
  if (Number.isNaN(Date.parse(finalizedAt))) throw unreadable('a block')
  return {
    id,
    height,
    hash,
    previousHash,
    merkleRoot,
    metadata,
    metadataHash,
    keyId,
    state,
    itemCount,
    finalizedAt,
    committedAt: textAt(attributes, 'committed_at'),
    raw: resource,
  }
}

/** The four public fields of a block. */
export const beaconOf = ({ id, hash, finalizedAt, previousHash }: Block): Beacon => ({
  id,
  hash,
  timestamp: finalizedAt,
  previous_hash: previousHash,
})

/** Empty text for an id without a time. */
const timeOf = (id: string): string => {
  const ms = uuid7Time(id)
  return ms === undefined ? '' : new Date(ms).toISOString()
}
