// Bundles for tests: the published known answers, and items of our own making whose file we know.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519.js'
import { ulidFrom, uuid7From } from '../../server/kernel/identifiers.ts'
import type { EvidenceItem } from '../../shared/evidence/evidence.ts'
import type { Bundle } from '../../shared/proof/bundle/bundle.ts'
import { bundleJson } from '../../shared/proof/bundle/write_bundle.ts'
import { toBase64, toHex } from '../../shared/proof/bytes.ts'
import { blockHash, itemHash, jsonHash, keyIdOf } from '../../shared/proof/composites.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { encodePath, leafHash } from '../../shared/proof/merkle.ts'
import { signedPayloadDigest, TYPE_CODES } from '../../shared/proof/signed_payload.ts'

interface PublishedVectors {
  bundles: Record<string, { published: Bundle; published_cbor_b64: string; compact: object }>
  keyring: { keys: readonly { key_id: string; public_key: string }[] }
}

const vectors: PublishedVectors = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'proof', 'proof-vectors.json'), 'utf8'),
)

export const vectorKeyring = JSON.stringify(vectors.keyring)

export function vectorBundle(name: string): { json: string; cbor: Buffer; base64: string; compact: string } {
  const bundle = vectors.bundles[name]
  if (bundle === undefined) throw new Error(`There is no vector ${name}.`)
  return {
    json: JSON.stringify(bundle.published),
    cbor: Buffer.from(bundle.published_cbor_b64, 'base64'),
    base64: bundle.published_cbor_b64,
    compact: JSON.stringify(bundle.compact),
  }
}

/** The seed of the key that signs what `itemBundle` makes, items and blocks. */
export const SECRET_KEY = new Uint8Array(32).fill(5)
const PUBLIC_KEY = ed25519.getPublicKey(SECRET_KEY)
const KEY_ID = keyIdOf(PUBLIC_KEY)

/** Of the key that signs what `itemBundle` makes. */
export const ownKeyring = JSON.stringify({
  version: '1.0',
  keys: [{ key_id: toHex(KEY_ID), public_key: toBase64(PUBLIC_KEY), sequence: 0, active: true }],
})

/**
 * A proof of one item, alone in its block, alone in its epoch, on a chain that nobody asks.
 * @param networks of that chain
 */
export function itemBundle(claims: JsonObject, networks: readonly string[] = ['testnet']): string {
  const submittedAt = Date.parse('2027-01-01T00:00:00Z')
  const id = ulidFrom(submittedAt, new Uint8Array(10))
  const metadata = {}
  const subjectHash = itemHash({
    id,
    claimsHash: jsonHash('items_claims', claims),
    metadataHash: jsonHash('items_metadata', metadata),
    keyId: KEY_ID,
  })
  const block = {
    id: uuid7From(submittedAt + 1_000, new Uint8Array(10)),
    previous_block_hash: '00'.repeat(32),
    merkle_root: toHex(leafHash(subjectHash)),
    metadata: {},
    signing_key_id: toHex(KEY_ID),
  }
  const hash = blockHash({
    id: block.id,
    previousBlockHash: new Uint8Array(32),
    merkleRoot: leafHash(subjectHash),
    metadataHash: jsonHash('block_metadata', {}),
    keyId: KEY_ID,
  })
  const digest = signedPayloadDigest({
    typeCode: TYPE_CODES.item,
    keyId: KEY_ID,
    generatedAtMs: submittedAt + 60_000,
    subjectHash,
    blockHash: hash,
    epochRoots: networks.map(() => leafHash(hash)),
  })
  return bundleJson({
    version: 1,
    type: 'item',
    generated_at: '2027-01-01T00:01:00Z',
    public_key: toBase64(PUBLIC_KEY),
    signature: toBase64(ed25519.sign(digest, SECRET_KEY)),
    subject: { id, claims, metadata, signing_key_id: toHex(KEY_ID) },
    inclusion_proof: encodePath([]),
    block,
    commitments: networks.map((network) => ({
      chain: 'stellar',
      network,
      epoch_merkle_root: toHex(leafHash(hash)),
      epoch_proof: encodePath([]),
      transaction_hash: 'ab'.repeat(32),
      timestamp: '2027-01-01T00:00:30Z',
      ledger: 7,
    })),
  })
}

/** The item of such a bundle as it is stored: what the service signed when it accepted it. */
export function ownItem(bundle: JsonObject): EvidenceItem {
  const { id, claims, metadata } = bundle.subject as { id: string; claims: JsonObject; metadata: JsonObject }
  const hash = itemHash({
    id,
    claimsHash: jsonHash('items_claims', claims),
    metadataHash: jsonHash('items_metadata', metadata),
    keyId: KEY_ID,
  })
  return {
    ...{ service: 'https://pharos.example.com', id, claims, metadata, signingKeyId: KEY_ID },
    signature: toBase64(ed25519.sign(hash, SECRET_KEY)),
  }
}
