// Composite hashes and standing signatures: byte for byte the known answers.
import { describe, expect, it } from 'vitest'
import { fromBase64, fromHex, toHex } from '../../shared/proof/bytes.ts'
import {
  blockHash,
  canonicalTextHash,
  commitmentHash,
  genesisPreviousHash,
  itemHash,
  jsonHash,
  keyIdOf,
  observationHash,
  prerotationCommitment,
} from '../../shared/proof/composites.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { verifySignature } from '../../shared/proof/ed25519.ts'
import { canonicalJson } from '../../shared/proof/json_value.ts'
import { merkleRoot } from '../../shared/proof/merkle.ts'
import { vectors } from './vectors.ts'

const publicKeys = new Map(
  vectors.key.map(({ key_id, public_key_b64 }) => [key_id, fromBase64(public_key_b64)]),
)
const publicKeyOf = (keyId: string): Uint8Array => publicKeys.get(keyId) ?? new Uint8Array()

it.each(vectors.key)(
  'key $name has its id and its commitment',
  ({ public_key_b64, key_id, prerotation_commitment }) => {
    expect(toHex(keyIdOf(fromBase64(public_key_b64)))).toBe(key_id)
    expect(toHex(prerotationCommitment(fromBase64(public_key_b64)))).toBe(prerotation_commitment)
  },
)

it('the chain starts from the genesis message', () => {
  const { message, previous_block_hash, empty_block_metadata_hash, empty_observation_metadata_hash } =
    vectors.genesis
  expect(toHex(genesisPreviousHash(message))).toBe(previous_block_hash)
  expect(toHex(jsonHash('block_metadata', {}))).toBe(empty_block_metadata_hash)
  expect(toHex(jsonHash('entropy_metadata', {}))).toBe(empty_observation_metadata_hash)
})

it.each(vectors.items)('item $name', (item) => {
  expect(canonicalJson(item.claims)).toBe(item.claims_canonical)
  expect(canonicalJson(item.metadata)).toBe(item.metadata_canonical)
  const claimsHash = jsonHash('items_claims', item.claims)
  const metadataHash = canonicalTextHash('items_metadata', item.metadata_canonical)
  expect(toHex(claimsHash)).toBe(item.claims_hash)
  expect(toHex(metadataHash)).toBe(item.metadata_hash)
  const hash = itemHash({ id: item.id, claimsHash, metadataHash, keyId: fromHex(item.signing_key_id) })
  expect(toHex(hash)).toBe(item.item_hash)
  expect(hash).toEqual(sha256(fromHex(item.preimage_hex)))
  expect(
    verifySignature(publicKeyOf(item.signing_key_id), hash, fromBase64(item.standing_signature_b64)),
  ).toBe(true)
})

it.each(vectors.observations)('observation $id of $source', (observation) => {
  expect(canonicalJson(observation.payload)).toBe(observation.payload_canonical)
  const entropyHash = jsonHash('entropy', observation.payload)
  const metadataHash = jsonHash('entropy_metadata', observation.metadata)
  expect(toHex(entropyHash)).toBe(observation.entropy_hash)
  expect(toHex(metadataHash)).toBe(observation.metadata_hash)
  const keyId = fromHex(observation.signing_key_id)
  const hash = observationHash({ id: observation.id, entropyHash, metadataHash, keyId })
  expect(toHex(hash)).toBe(observation.observation_hash)
  expect(hash).toEqual(sha256(fromHex(observation.preimage_hex)))
  const signature = fromBase64(observation.standing_signature_b64)
  expect(verifySignature(publicKeyOf(observation.signing_key_id), hash, signature)).toBe(true)
})

describe('blocks', () => {
  it.each(vectors.blocks)('$name', (block) => {
    expect(canonicalJson(block.metadata)).toBe(block.metadata_canonical)
    const metadataHash = jsonHash('block_metadata', block.metadata)
    expect(toHex(metadataHash)).toBe(block.metadata_hash)
    expect([...block.leaf_ids_in_order].sort()).toEqual(block.leaf_ids_in_order)
    const root = merkleRoot(block.leaf_hashes_in_order.map(fromHex))
    expect(toHex(root)).toBe(block.merkle_root)
    const hash = blockHash({
      id: block.id,
      previousBlockHash: fromHex(block.previous_block_hash),
      merkleRoot: root,
      metadataHash,
      keyId: fromHex(block.signing_key_id),
    })
    expect(toHex(hash)).toBe(block.block_hash)
    expect(hash).toEqual(sha256(fromHex(block.preimage_hex)))
    expect(
      verifySignature(publicKeyOf(block.signing_key_id), hash, fromBase64(block.standing_signature_b64)),
    ).toBe(true)
  })

  it('each names the one before', () => {
    const hashes = vectors.blocks.map(({ block_hash }) => block_hash)
    const previous = vectors.blocks.map(({ previous_block_hash }) => previous_block_hash)
    expect(previous).toEqual([vectors.genesis.previous_block_hash, ...hashes.slice(0, -1)])
  })

  it.each(vectors.epochs)('are gathered in epoch $sequence on $chain', ({ block_ids_in_order, root }) => {
    const hashOf = new Map(vectors.blocks.map(({ id, block_hash }) => [id, fromHex(block_hash)]))
    expect(toHex(merkleRoot(block_ids_in_order.map((id) => hashOf.get(id) ?? new Uint8Array())))).toBe(root)
  })
})

it.each(vectors.commitments)('commitment $id', (commitment) => {
  expect(canonicalJson(commitment.commitment_data)).toBe(commitment.commitment_data_canonical)
  const dataHash = jsonHash('commitment_data', commitment.commitment_data)
  expect(toHex(dataHash)).toBe(commitment.commitment_data_hash)
  const keyId = fromHex(commitment.signing_key_id)
  const hash = commitmentHash({ id: commitment.id, dataHash, ownerId: commitment.owner_id, keyId })
  expect(toHex(hash)).toBe(commitment.commitment_hash)
  expect(hash).toEqual(sha256(fromHex(commitment.preimage_hex)))
})
