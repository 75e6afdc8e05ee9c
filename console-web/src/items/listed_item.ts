// An item as lists show it: without its claims, which may be large. Read from a page of the API, and kept up
// to date by the stream.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { isJsonObject, objectAt, textAt } from '../data/json_object.ts'
import {
  type Page,
  type Resource,
  readIncluded,
  readPage,
  textOf,
  textOrNull,
  textsOf,
} from '../data/resource.ts'

export type ListedItem = {
  readonly id: string
  /** `created`, `committed` or `redacted`. */
  readonly state: string
  readonly visibility: string
  readonly tags: readonly string[]
  /** Null after redaction. */
  readonly name: string | null
  /** The digest that the item claims. Null without one, and after redaction. */
  readonly digest: string | null
  readonly blockId: string | null
  /** `committed` when a public chain carries the block. Null when there is no block. */
  readonly blockState: string | null
  readonly proofAvailableAt: string | null
  readonly insertedAt: string
  /**
   * Why the list would not have it any more: it was deleted, or the last read did not find it. The row stays,
   * so that nothing moves below the reader.
   */
  readonly left: 'deleted' | 'unlisted' | null
}

/** Also includes the state of the block, which changes before the item's own `proof_available_at` is written. */
export const LISTED_FIELDS =
  'include=block&fields[block]=state&fields[item]=state,visibility,tags,display_name,hash,block_id,proof_available_at,inserted_at'

/** @throws ApiFailure */
export const readListedPage = (document: JsonValue): Page<ListedItem> => {
  const states = new Map(readIncluded(document, 'block').map((block) => [block.id, textOf(block, 'state')]))
  return readPage((resource) => readListed(resource, states))(document)
}

const readListed = (resource: Resource, states: ReadonlyMap<string, string>): ListedItem => {
  const blockId = textOrNull(resource, 'block_id')
  return {
    id: resource.id,
    state: textOf(resource, 'state'),
    visibility: textOf(resource, 'visibility'),
    tags: textsOf(resource, 'tags'),
    name: textOrNull(resource, 'display_name'),
    digest: textOrNull(resource, 'hash'),
    blockId,
    blockState: blockId === null ? null : (states.get(blockId) ?? null),
    proofAvailableAt: textOrNull(resource, 'proof_available_at'),
    insertedAt: textOf(resource, 'inserted_at'),
    left: null,
  }
}

/** What an event says of an item. It has neither its name nor its claims. */
export type ItemNews = {
  readonly kind: string
  readonly id: string
  readonly state: string
  readonly visibility: string
  readonly tags: readonly string[]
  readonly blockId: string | null
  readonly insertedAt: string
}

/** Null when the event is another, or not readable. */
export const readItemNews = (kind: string, body: unknown): ItemNews | null => {
  const data = objectAt(body, 'data')
  const [id, state, visibility, insertedAt] = ['id', 'state', 'visibility', 'inserted_at'].map((name) =>
    textAt(data, name),
  )
  if (!kind.startsWith('item.') || !id || !state || !visibility || !insertedAt) return null
  const tags = isJsonObject(data) && Array.isArray(data.tags) ? data.tags : []
  return {
    kind,
    id,
    state,
    visibility,
    insertedAt,
    tags: tags.filter((one): one is string => typeof one === 'string'),
    blockId: textAt(data, 'block_id'),
  }
}
