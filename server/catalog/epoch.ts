// Epochs: runs of blocks under one Merkle root, which is committed to each public chain.
import { sql } from 'kysely'
import { hex64, instant, integer, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import { type Epoch, epochOf } from '../domain/commitments/commit_epochs.ts'
import type { Sql } from '../store/statement.ts'
import { CHAIN_FIELDS } from './commitment.ts'
import { get, list, resource, toOne } from './define.ts'

const commitmentOf = (from: string, to: string): Sql => sql.raw(`${to}.epoch_id = ${from}.id`)

export const epoch = resource<Epoch>()({
  type: 'epoch',
  path: '/epochs',
  doc: 'The run of blocks finalized since its series’ last one; its root is what a public chain carries.',
  id: uuid7(),
  fields: {
    ...CHAIN_FIELDS,
    sequence: field(integer(), 'Counts up per chain.', { filter: true, sort: true }),
    root: field(hex64(), 'Root of the tree over the block hashes.', { filter: true }),
    first_block_id: field(uuid7(), 'First block of the run.'),
    last_block_id: field(uuid7(), 'Last block of the run.'),
    block_count: field(integer(), 'Blocks in the run.'),
    closed_at: field(instant(), 'When it was closed.', { filter: true, sort: true }),
  },
  relationships: {
    commitment: toOne(commitmentOf, 'commitment', 'Its commitment to the chain.'),
  },
  table: 'epochs',
  isLegible: true,
  hydrate: epochOf,
  operations: [
    list({
      name: 'listEpochs',
      doc: 'Epochs, newest first.',
      access: 'read',
      http: 'GET /epochs',
    }),
    get({
      name: 'getEpoch',
      doc: 'One epoch.',
      access: 'read',
      http: 'GET /epochs/:id',
    }),
  ],
})
