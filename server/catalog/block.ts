// Blocks: every value that goes into a beacon's hash, so that anybody can recompute it.
import { sql } from 'kysely'
import { base64, enumeration, hex8, hex64, instant, integer, jsonObject, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import { BLOCK_STATES, type Block, blockOf } from '../domain/ledger/block.ts'
import type { Sql } from '../store/statement.ts'
import { get, list, resource, toMany, toOne } from './define.ts'

/** Joins on `block_hash`, which is unique. The genesis block's previous hash matches no block. */
const successorOf = (from: string, to: string): Sql =>
  sql.raw(`${to}.previous_block_hash = ${from}.block_hash`)

/**
 * Joins through the epoch that contains the block. Block ids ascend with the chain, so a range
 * of ids is a run of blocks.
 */
const commitmentOf = (from: string, to: string): Sql =>
  sql.raw(`${to}.epoch_id IN (
    SELECT e.id FROM epochs e WHERE ${from}.id >= e.first_block_id AND ${from}.id <= e.last_block_id)`)

/** Its items are a range of ids among the leaves of its height. */
const itemsOf = (from: string, to: string): Sql =>
  sql.raw(
    `${to}.id >= ${from}.first_item_id AND ${to}.id <= ${from}.last_item_id AND ${to}.height = ${from}.height`,
  )

export const block = resource<Block>()({
  type: 'block',
  path: '/blocks',
  id: uuid7(),
  doc: 'A link of the chain: a Merkle root over the subjects accepted since the block before, signed.',
  fields: {
    height: field(integer(), 'Place in the chain; genesis is 0.', { filter: true, sort: true }),
    block_hash: field(hex64(), 'SHA-256 over id, previous hash, root, metadata hash and key id.', {
      filter: true,
    }),
    previous_block_hash: field(hex64(), 'Hash of the block before; a fixed sentinel in genesis.'),
    previous_block_id: field(uuid7(), 'The block before; genesis names itself.'),
    merkle_root: field(hex64(), 'Root of the tree over the subjects.'),
    metadata: field(
      jsonObject({ bytes: 4_096 }),
      'Empty, or the key event of a block that introduces a signing key.',
    ),
    metadata_hash: field(hex64(), 'Domain-separated hash of the canonical metadata.'),
    signing_key_id: field(hex8(), 'The key the block was made under.'),
    signature: field(base64({ bytes: 64 }), 'Ed25519 over the raw block hash.'),
    state: field(enumeration(BLOCK_STATES), '`committed` once a public chain carries it; never back.', {
      filter: true,
    }),
    leaf_count: field(integer(), 'Subjects in the tree.'),
    item_count: field(integer(), 'Items among them.'),
    observation_count: field(integer(), 'Entropy observations among them.'),
    finalized_at: field(instant(), 'The time in the id: nothing in the block is younger.', {
      filter: true,
      sort: true,
    }),
    committed_at: field(instant(), 'When its first commitment was confirmed.', { nullable: true }),
    inserted_at: field(instant(), 'When the row was written.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  relationships: {
    previous: toOne('previous_block_id', 'block', 'The block before; genesis names itself.'),
    next: toOne(successorOf, 'block', 'The block after, when there is one.'),
    items: toMany(itemsOf, 'item', 'Items in it that the caller may read.'),
    entropy_observations: toMany('block_id', 'entropy_observation', 'Entropy observations in it.'),
    commitments: toMany(commitmentOf, 'commitment', 'Commitments that carry it.'),
  },
  table: 'blocks',
  isLegible: true,
  hydrate: blockOf,
  operations: [
    list({
      name: 'listBlocks',
      doc: 'Blocks, newest first.',
      access: 'read',
      http: 'GET /blocks',
    }),
    get({
      name: 'getBlock',
      doc: 'One block.',
      access: 'read',
      http: 'GET /blocks/:id',
    }),
  ],
})
