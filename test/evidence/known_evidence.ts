// Evidence about the known item, signed by the known key, and trees over it.
import { createPrivateKey, sign } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { DigestTree, entryLeaf, type TreeEntry, treeEntry } from '../../shared/evidence/digest_tree.ts'
import { type EvidenceTree, receiptOf } from '../../shared/evidence/evidence.ts'
import { fromHex, joinBytes, toBase64, toHex } from '../../shared/proof/bytes.ts'
import { itemHash, jsonHash, keyIdOf } from '../../shared/proof/composites.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { isJsonObject, type JsonObject, memberOf } from '../../shared/proof/json_value.ts'
import { signedPayloadDigest, TYPE_CODES } from '../../shared/proof/signed_payload.ts'
import type { NamedKeyring } from '../../shared/proof/verify/keyring.ts'
import { knownDocument } from '../proof/known_bundles.ts'
import { vectors } from '../proof/vectors.ts'

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

/** The known bundle, signed by another key of the service. The item in it is signed as it was. */
export function bundleByAnother(): { readonly bundle: JsonObject; readonly keyring: NamedKeyring } {
  const known = vectors.bundles.item
  if (known === undefined) throw new Error('there is no known item')
  const seed = new Uint8Array(32).fill(9)
  const publicKey = ed25519.getPublicKey(seed)
  const digest = signedPayloadDigest({
    typeCode: TYPE_CODES.item,
    keyId: keyIdOf(publicKey),
    generatedAtMs: known.generated_at_ms,
    subjectHash: fromHex(known.subject_hash),
    blockHash: fromHex(known.block_hash),
    epochRoots: known.published.commitments.map(({ epoch_merkle_root }) => fromHex(epoch_merkle_root)),
  })
  const { signing_key_event: _, ...rest } = knownBundle()
  const public_key = toBase64(publicKey)
  return {
    bundle: { ...rest, public_key, signature: toBase64(ed25519.sign(digest, seed)) },
    keyring: { name: 'another', keys: [{ key_id: toHex(keyIdOf(publicKey)), public_key }] },
  }
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

/** The known receipt with the proof of its item. */
export const knownEvidence = (): JsonObject => ({ ...knownReceipt(), bundle: knownBundle() })

export const digestOf = (text: string): TreeEntry => ({
  type: 'sha256',
  value: sha256(Buffer.from(text)),
  salt: sha256(Buffer.from(`salt of ${text}`)).subarray(0, 16),
})
const treeOf = (entries: readonly TreeEntry[]) => new DigestTree(joinBytes(entries.map(entryLeaf)))

/** The second of five files, in a tree that is the third entry of another tree. */
export function treeReceipt(): JsonObject {
  const files = ['a', 'b', 'c', 'd', 'e'].map(digestOf)
  const inner = treeOf(files)
  const round: TreeEntry = { type: 'round', value: sha256(Buffer.from('round')) }
  const outer = treeOf([round, digestOf('x'), treeEntry(inner.root, inner.size), digestOf('y')])
  const place = (tree: DigestTree, index: number, salt?: Uint8Array): EvidenceTree => ({
    size: tree.size,
    index,
    salt,
    path: tree.path(index),
  })
  const file = digestOf('b')
  return receiptOf({
    digest: file,
    trees: [place(inner, 1, file.salt), place(outer, 2)],
    item: signedItem(treeClaims(outer.root, outer.size)),
  })
}
