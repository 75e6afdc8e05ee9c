// One wrong bit anywhere in what the ledger vouches for, and the audit says where.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Disagreement } from '../../../shared/audit/disagreement.ts'
import { openTestLedger, type TestLedger } from '../../support/ledger.ts'
import { rows } from '../../support/rows.ts'
import { type EveryKind, type Kept, makeEveryKind } from './every_kind.ts'
import {
  auditAfter,
  type Column,
  dropGuards,
  flipBit,
  hasBits,
  LEDGER_TABLES,
  type LedgerTable,
  ledgerColumns,
} from './tamper.ts'

/** What one wrong bit may change unnoticed, and why that is right. A new column must be here or be protected. */
const NOT_PROTECTED: Record<string, string> = {
  'blocks.previous_height': 'generated from height by the database',
  'blocks.committed_at':
    'nothing is made from the time itself; whether there is one is held against the state',
  'blocks.inserted_at': 'bookkeeping: the time that counts is finalized_at',
  'blocks.updated_at': 'bookkeeping',
  'items.team_id': 'whose item it is may change and is not part of what is proved',
  'items.creator_id': 'whose item it is may change and is not part of what is proved',
  'items.visibility': 'its owner may change it',
  'items.tags': 'its owner may change them',
  'items.redacted_at':
    'nothing is made from the time itself; whether there is one is held against the claims',
  'items.expires_at': 'its owner may change it',
  'items.updated_at': 'bookkeeping',
  'waiting_moments.items': 'only how much is taken at a time depends on it',
  'item_tombstones.id':
    'what it was hashed with is gone: only its form, its time and its order are left to check',
  'item_tombstones.deleted_at': 'nothing is made from it',
  'entropy_observations.capture_method': 'not hashed',
  'entropy_observations.source_published_at': 'derived from the payload, which is hashed',
  'signing_keys.inserted_at': 'bookkeeping',
}

/** Where something else of the same row, or of what it belongs to, gives the wrong bit away first. */
const GIVEN_AWAY_BY: Record<string, readonly string[]> = {
  'blocks.id': ['block_hash', 'previous_block_id'],
  'blocks.height': ['previous_block_id', 'metadata'],
  'blocks.metadata_hash': ['block_hash'],
  'blocks.merkle_root': ['block_hash'],
  'blocks.item_count': ['leaf_count'],
  'blocks.observation_count': ['leaf_count'],
  'blocks.first_item_id': ['leaf_index', 'leaf_count'],
  'blocks.last_item_id': ['leaf_index', 'leaf_count'],
  'items.id': ['item_hash', 'moment'],
  'items.claims_hash': ['item_hash'],
  'items.metadata': ['metadata_hash'],
  'items.metadata_hash': ['item_hash'],
  'items.signing_key_id': ['item_hash'],
  'block_leaves.height': ['leaf_index', 'leaf_count'],
  'block_leaves.subject_id': ['id', 'leaf_index', 'leaf_count'],
  'item_tombstones.item_hash': ['merkle_root'],
  'entropy_observations.id': ['observation_hash', 'leaf_index'],
  'entropy_observations.source': ['metadata.witnesses.entropy_nist', 'metadata.witnesses.entropy_stellar'],
  'entropy_observations.entropy_hash': [
    'observation_hash',
    'metadata.witnesses.entropy_nist',
    'metadata.witnesses.entropy_stellar',
  ],
  'entropy_observations.metadata_hash': ['observation_hash'],
  'entropy_observations.signing_key_id': ['observation_hash'],
  'entropy_observations.block_id': ['leaf_index', 'leaf_count'],
  'entropy_observations.leaf_index': ['leaf_count', 'id'],
  'block_tiles.block_id': ['tile'],
  'block_tiles.level': ['tile'],
  'signing_keys.key_id': ['introduced_at_height'],
  'signing_keys.public_key': ['key_id'],
}

/** One row to flip bits in. */
interface Target {
  readonly table: LedgerTable
  readonly name: string
  readonly where: string
  readonly height: number | null
  /** What the audit calls a row that is in no block. */
  readonly subject?: string
}

/** Tables of what other rows are made from: a wrong bit there is found at these, too. */
const IS_MADE_USE_OF: ReadonlySet<LedgerTable> = new Set(['blocks', 'entropy_observations'])

/** Columns by whose wrong bit a row is elsewhere, or is another one. */
const SAYS_WHERE: ReadonlySet<string> = new Set([
  'id',
  'height',
  'subject_id',
  'block_id',
  'moment',
  'key_id',
  'introduced_at_height',
])

const nameOf = ({ table, name }: Column): string => `${table}.${name}`

describe('one wrong bit', () => {
  let ledger: TestLedger
  let kinds: EveryKind
  let columns: Column[]

  beforeAll(async () => {
    ledger = await openTestLedger()
    kinds = await makeEveryKind(ledger)
    await dropGuards(ledger.store.em())
    columns = await ledgerColumns({ em: ledger.store.em() })
  })
  afterAll(() => ledger.close())

  it('is told from soundness: the audit passes without one', async () => {
    expect((await auditAfter(ledger, async () => undefined)).disagreements).toEqual([])
  })

  it('could be in no column that this test does not know', () => {
    const names = new Set(columns.map(nameOf))
    expect(
      [...Object.keys(NOT_PROTECTED), ...Object.keys(GIVEN_AWAY_BY)].filter((name) => !names.has(name)),
    ).toEqual([])
  })

  it.each(LEDGER_TABLES)('in %s is found, and named', async (table) => {
    const wrong: unknown[] = []
    const targets = await targetsIn(ledger, kinds, table)
    for (const column of columns) {
      if (column.table !== table || NOT_PROTECTED[nameOf(column)] !== undefined) continue
      const flips: Flip[] = []
      for (const [index, target] of targets.entries())
        if (!isAlone(target, column) && (await hasBits(ledger.store.em(), column, target.where)))
          flips.push({ target, end: (index + column.name.length) % 2 === 0 ? 'first' : 'last' })
      expect(flips, nameOf(column)).not.toEqual([])
      for (const together of apart(flips, column)) {
        const { disagreements } = await auditAfter(
          ledger,
          async (tx) => {
            for (const { target, end } of together) await flipBit(tx, column, { where: target.where, end })
          },
          together.length === 1 ? 1 : Number.POSITIVE_INFINITY,
        )
        for (const flip of together) {
          const found = together.length === 1 ? disagreements[0] : disagreements.find(isAt(flip))
          if (!names(found, column, flip.target)) wrong.push({ column: nameOf(column), ...flip, found })
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

interface Flip {
  readonly target: Target
  readonly end: 'first' | 'last'
}

/** Flips in groups of which one audit tells each from the others: no two in a block, nor in a row that is in none. */
function apart(flips: readonly Flip[], column: Column): Flip[][] {
  if (IS_MADE_USE_OF.has(column.table) || SAYS_WHERE.has(column.name)) return flips.map((flip) => [flip])
  const groups: Flip[][] = []
  for (const flip of flips) {
    const place = ({ target }: Flip) => target.height ?? target.subject
    const group = groups.find((others) => !others.some((other) => place(other) === place(flip)))
    if (group === undefined) groups.push([flip])
    else group.push(flip)
  }
  return groups
}

const isAt =
  ({ target }: Flip) =>
  ({ height, subject }: Disagreement): boolean =>
    height === target.height && (height !== null || subject === target.subject)

/** Nothing was ever made from the hash of an item that was deleted before its block. */
const isAlone = (target: Target, column: Column): boolean =>
  target.name === 'deletedBefore' && column.name === 'item_hash'

function names(found: Disagreement | undefined, column: Column, target: Target): boolean {
  if (found === undefined) return false
  const field = found.field === column.name || (GIVEN_AWAY_BY[nameOf(column)] ?? []).includes(found.field)
  // A block's height, and the block a row names, are what says where it is: it is found there or where it is missing.
  const moved =
    nameOf(column) === 'blocks.height' || column.name === 'block_id' || column.name === 'introduced_at_height'
  return field && (moved || found.height === target.height)
}

async function targetsIn({ store }: TestLedger, kinds: EveryKind, table: LedgerTable): Promise<Target[]> {
  const em = store.em()
  const kept = (group: Readonly<Record<string, Kept>>): Target[] =>
    Object.entries(group).map(([name, { id, height }]) => ({
      ...{ table, name, where: `id = '${id}'`, height },
      subject: id,
    }))
  switch (table) {
    case 'items':
      return kept(kinds.items)
    case 'block_leaves':
      return Object.entries({ ...kinds.items, ...kinds.tombstones }).flatMap(([name, { id, height }]) =>
        height === null ? [] : [{ table, name, where: `subject_id = '${id}'`, height }],
      )
    case 'waiting_moments':
      return (
        await rows<{ ctid: string }>(em, 'SELECT ctid::text AS ctid FROM waiting_moments ORDER BY moment')
      ).map(({ ctid }) => ({ table, name: ctid, where: `ctid = '${ctid}'`, height: null }))
    case 'item_tombstones':
      return kept(kinds.tombstones)
    case 'entropy_observations':
      return kept(kinds.observations)
    case 'blocks':
      return (
        await rows<{ height: number; id: string }>(em, 'SELECT height, id FROM blocks ORDER BY height')
      ).map(({ height, id }) => ({ table, name: `block ${height}`, where: `id = '${id}'`, height }))
    case 'block_tiles':
      return (
        await rows<{ height: number; ctid: string }>(
          em,
          'SELECT height, t.ctid::text AS ctid FROM block_tiles t JOIN blocks b ON b.id = t.block_id ORDER BY height, level, tile',
        )
      ).map(({ height, ctid }) => ({ table, name: ctid, where: `ctid = '${ctid}'`, height }))
    case 'signing_keys':
      return (
        await rows<{ height: number | null; sequence: number; id: string }>(
          em,
          `SELECT introduced_at_height AS height, sequence, encode(key_id, 'hex') AS id FROM signing_keys ORDER BY sequence`,
        )
      ).map(({ height, sequence, id }) => ({
        table,
        name: `key ${sequence}`,
        where: `key_id = decode('${id}', 'hex')`,
        height,
        subject: id,
      }))
    default:
      return table satisfies never
  }
}
