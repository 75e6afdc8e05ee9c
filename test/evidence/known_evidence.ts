// Evidence about the known item, signed by the known key, and trees over it.
import { createPrivateKey, sign } from 'node:crypto'
import { readEvidenceValue, receiptOf } from '../../shared/evidence/evidence.ts'
import { fromHex, toBase64, toHex } from '../../shared/proof/bytes.ts'
import { itemHash, jsonHash } from '../../shared/proof/composites.ts'
import { isJsonObject, type JsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { knownDocument } from '../proof/known_bundles.ts'

/** RFC 8032's first 32 bytes of numbers: key A of the known answers. */
export const SEED = Uint8Array.from({ length: 32 }, (_, at) => at)
const KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), SEED]),
  format: 'der',
  type: 'pkcs8',
})
export const KEY_ID = '591f29fc'

export const knownBundle = (): JsonObject => knownDocument('item')

const subject = (): JsonObject => {
  const found = memberOf(knownBundle(), 'subject')
  if (!isJsonObject(found)) throw new Error('the known item has no subject')
  return found
}
const objectIn = (object: JsonObject, name: string): JsonObject => {
  const found = memberOf(object, name)
  if (!isJsonObject(found)) throw new Error(`no ${name}`)
  return found
}

export const knownClaims = (): JsonObject => objectIn(subject(), 'claims')

/** The item as it is stored, signed by the known key. */
export function signedItem(
  claims: JsonObject,
  { id = String(memberOf(subject(), 'id')), metadata = objectIn(subject(), 'metadata') } = {},
) {
  const hash = itemHash({
    id,
    claimsHash: jsonHash('items_claims', claims),
    metadataHash: jsonHash('items_metadata', metadata),
    keyId: fromHex(KEY_ID),
  })
  return {
    service: 'https://pharos.example.com',
    id,
    claims,
    metadata,
    signingKeyId: fromHex(KEY_ID),
    signature: toBase64(sign(null, hash, KEY)),
  }
}

export const KNOWN_DIGEST = (): Uint8Array => fromHex(String(memberOf(knownClaims(), 'hash')))

/** A receipt for the digest that the known item claims. */
export const knownReceipt = (): JsonObject =>
  receiptOf({
    digest: { type: 'sha256', value: KNOWN_DIGEST() },
    name: 'report.pdf',
    trees: [],
    item: signedItem(knownClaims()),
  })

/** Claims of an item about a tree. */
export const treeClaims = (root: Uint8Array, size: number): JsonObject => ({
  name: 'a tree',
  hash: toHex(root),
  hash_type: 'sha256',
  metadata: { tree: { format: 'pharos-tree-v1', size } },
})

export const evidenceFrom = (document: JsonObject) => readEvidenceValue(document)
