// Checks that every hex field is lowercase hex of its exact size, because otherwise a bundle could be read in
// two ways.
import { type Carried, carried, type ReadBlock, type ReadEntry, readBlock } from '../bundle/bundle_parts.ts'
import type { ReadBundle } from '../bundle/read_bundle.ts'
import { isHex } from '../bytes.ts'
import { isJsonObject, memberOf } from '../json_value.ts'
import { shown } from './carried_values.ts'

/** Names of fields that are present but malformed, such as `commitments[0].transaction_hash`. */
export function malformedHexFields(bundle: ReadBundle): readonly string[] {
  return hexFields(bundle)
    .filter(({ value, size }) => value !== undefined && !(typeof value === 'string' && isHex(value, size)))
    .map(({ name }) => name)
}

interface HexField {
  readonly name: string
  readonly value: Carried
  readonly size: 4 | 32
}

function hexFields({ subject, block, blockPath, commitments, signingKeyEvent }: ReadBundle): HexField[] {
  const fields: HexField[] = []
  if (subject !== undefined) {
    fields.push({ name: 'subject.signing_key_id', value: subject.signingKeyId, size: 4 })
    fields.push({ name: 'subject.metadata_hash', value: subject.metadataHash, size: 32 })
    fields.push(...committedWitnesses(subject.committedWitnesses))
  }
  fields.push(...blockFields('block', block))
  if (Array.isArray(blockPath))
    blockPath.forEach((map, i) => {
      if (isJsonObject(map)) fields.push(...blockFields(`block_path[${i}]`, readBlock(map)))
    })
  commitments.forEach((entry, i) => {
    fields.push(...entryFields(`commitments[${i}]`, entry))
  })
  if (!isJsonObject(signingKeyEvent)) return fields
  const eventBlock = carried(signingKeyEvent, 'block')
  if (isJsonObject(eventBlock)) fields.push(...blockFields('signing_key_event.block', readBlock(eventBlock)))
  const eventEntries = carried(signingKeyEvent, 'commitments')
  if (Array.isArray(eventEntries))
    eventEntries.forEach((entry, i) => {
      if (!isJsonObject(entry)) return
      const epochMerkleRoot = carried(entry, 'epoch_merkle_root')
      const transactionHash = carried(entry, 'transaction_hash')
      const blockMerkleRoot = carried(entry, 'block_merkle_root')
      const hashes = { epochMerkleRoot, transactionHash, blockMerkleRoot }
      fields.push(...entryFields(`signing_key_event.commitments[${i}]`, hashes))
    })
  return fields
}

function committedWitnesses(witnesses: Carried): HexField[] {
  if (!isJsonObject(witnesses)) return []
  // Sorted, because the order of members has no meaning.
  const names = Object.keys(witnesses).sort()
  return names.map((name) => ({
    name: `subject.metadata.witnesses.${shown(name)}`,
    // In a hashed map null is an ordinary value, and null is not a hash.
    value: memberOf(witnesses, name) ?? false,
    size: 32,
  }))
}

function blockFields(place: string, block: ReadBlock): HexField[] {
  return [
    { name: `${place}.previous_block_hash`, value: block.previousBlockHash, size: 32 },
    { name: `${place}.merkle_root`, value: block.merkleRoot, size: 32 },
    { name: `${place}.metadata_hash`, value: block.metadataHash, size: 32 },
    { name: `${place}.signing_key_id`, value: block.signingKeyId, size: 4 },
  ]
}

function entryFields(
  place: string,
  entry: Pick<ReadEntry, 'epochMerkleRoot' | 'transactionHash' | 'blockMerkleRoot'>,
): HexField[] {
  return [
    { name: `${place}.epoch_merkle_root`, value: entry.epochMerkleRoot, size: 32 },
    { name: `${place}.transaction_hash`, value: entry.transactionHash, size: 32 },
    { name: `${place}.block_merkle_root`, value: entry.blockMerkleRoot, size: 32 },
  ]
}
