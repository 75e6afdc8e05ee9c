// The recomputation of an item in the browser, against known answers of the proof format (proof-vectors.json, `items`).
import { describe, expect, it } from 'vitest'
import { readItemDocument } from '../../console-web/src/items/item.ts'
import { recomputeItem } from '../../console-web/src/items/recompute_item.ts'
import type { JsonObject, JsonValue } from '../../shared/proof/json_value.ts'
import { vectors } from '../proof/vectors.ts'

const [known] = vectors.items
if (known === undefined) throw new Error('There is no known item.')

const itemWith = (change: JsonObject) => {
  const attributes: JsonObject = {
    claims: known.claims,
    claims_hash: known.claims_hash,
    metadata_hash: known.metadata_hash,
    item_hash: known.item_hash,
    metadata: known.metadata,
    signing_key_id: known.signing_key_id,
    state: 'committed',
    visibility: 'private',
    tags: [],
    team_id: '01a2ce8c-be60-74a1-9884-d675915e9850',
    creator_id: '01a2ce8c-be60-74a1-9884-d675915e9851',
    inserted_at: '2027-01-01T00:02:30.000Z',
    ...change,
  }
  const document: JsonValue = { data: { type: 'item', id: known.id, attributes } }
  return readItemDocument(document)
}

const outcomes = (change: JsonObject): readonly boolean[] =>
  recomputeItem(itemWith(change)).map(({ ok }) => ok)

describe('recomputeItem', () => {
  it('confirms an item of the published vectors', () => {
    expect(outcomes({})).toEqual([true, true, true])
  })

  it('notices claims, metadata or a key that are others', () => {
    expect(outcomes({ claims: { ...known.claims, name: 'Another' } })).toEqual([false, true, false])
    expect(outcomes({ metadata: {} })).toEqual([true, false, false])
    expect(outcomes({ signing_key_id: '00000000' })).toEqual([true, true, false])
  })

  it('still confirms the place of a redacted item by the hashes that are left', () => {
    const [claims, metadata, whole] = recomputeItem(itemWith({ claims: null }))
    expect(claims).toMatchObject({ ok: false, computed: null })
    expect([metadata?.ok, whole?.ok]).toEqual([true, true])
  })
})
