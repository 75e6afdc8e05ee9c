// Commitments: an epoch's root, as it is recorded on a public chain.
import { enumeration, hex64, instant, integer, text, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import {
  CHAIN_NAME_LENGTH,
  CHAIN_WORDS,
  COMMITMENT_STATES,
  type Commitment,
  commitmentOf,
} from '../domain/commitments/commitment.ts'
import { LONGEST_ERROR } from '../domain/commitments/record_try.ts'
import { get, list, resource, toOne } from './define.ts'

/** Which chain an epoch is committed to. */
export const CHAIN_FIELDS = {
  chain: field(text({ max: CHAIN_NAME_LENGTH }), CHAIN_WORDS, {
    filter: true,
    example: 'bitcoin',
  }),
  network: field(text({ max: CHAIN_NAME_LENGTH }), 'Which network of it.', { example: 'mainnet' }),
}

export const commitment = resource<Commitment>()({
  type: 'commitment',
  path: '/commitments',
  doc: 'The transaction that writes an epoch’s root on a public chain.',
  id: uuid7(),
  fields: {
    ...CHAIN_FIELDS,
    state: field(enumeration(COMMITMENT_STATES), 'A reorganisation may take it back to `submitted`.', {
      filter: true,
    }),
    epoch_id: field(uuid7(), 'The epoch.'),
    epoch_root: field(hex64(), 'Its root.', { filter: true }),
    transaction_hash: field(hex64(), 'The transaction, as its chain shows it.', {
      nullable: true,
      filter: true,
    }),
    commitment_hash: field(hex64(), 'Domain-separated hash of the commitment.', { nullable: true }),
    ledger: field(integer(), 'Stellar: the ledger that holds it.', { nullable: true }),
    block_height: field(integer(), 'Bitcoin: the height that holds it.', { nullable: true }),
    confirmed_at: field(instant(), 'When the chain confirmed it.', {
      nullable: true,
      filter: true,
      sort: true,
    }),
    attempts: field(integer(), 'Broadcasts so far.'),
    error: field(text({ max: LONGEST_ERROR }), 'Why the last one failed.', { nullable: true }),
    inserted_at: field(instant(), 'When it was made.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  relationships: { epoch: toOne('epoch_id', 'epoch', 'The epoch.') },
  table: 'commitments',
  isLegible: true,
  hydrate: commitmentOf,
  operations: [
    list({
      name: 'listCommitments',
      doc: 'Commitments, newest first.',
      access: 'read',
      http: 'GET /commitments',
    }),
    get({
      name: 'getCommitment',
      doc: 'One commitment.',
      access: 'read',
      http: 'GET /commitments/:id',
    }),
  ],
})
