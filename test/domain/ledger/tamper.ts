// Changes a stored ledger behind its back, inside a transaction that is rolled back when it has been looked at.

import type { EntityManager } from '@mikro-orm/postgresql'
import { auditLedger } from '../../../server/domain/ledger/audit/audit_ledger.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import type { TestLedger } from '../../support/ledger.ts'
import { row, rows } from '../../support/rows.ts'

/** Every table that the audit is to protect; `facts` are news, not the record, and are pruned. */
export const LEDGER_TABLES = [
  'blocks',
  'items',
  'block_leaves',
  'waiting_moments',
  'item_tombstones',
  'entropy_observations',
  'block_tiles',
  'signing_keys',
] as const
export type LedgerTable = (typeof LEDGER_TABLES)[number]

export interface Column {
  readonly table: LedgerTable
  readonly name: string
  readonly type: string
}

export const ledgerColumns = ({ em }: { em: EntityManager }): Promise<Column[]> =>
  rows(
    em,
    `SELECT table_name::text AS table, column_name::text AS name, data_type::text AS type
       FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ANY($1) ORDER BY table_name, ordinal_position`,
    [LEDGER_TABLES],
  )

/** What a disk does not know: constraints, unique indexes, and that times have milliseconds. */
export async function dropGuards(em: EntityManager): Promise<void> {
  const constraints = await rows<{ drop: string }>(
    em,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname) AS drop
       FROM pg_constraint WHERE conrelid::regclass::text = ANY($1) AND contype IN ('c', 'f', 'u', 'p')`,
    [LEDGER_TABLES],
  )
  const indexes = await rows<{ drop: string }>(
    em,
    `SELECT format('DROP INDEX IF EXISTS %s CASCADE', indexrelid::regclass) AS drop
       FROM pg_index WHERE indisunique AND indrelid::regclass::text = ANY($1)
        AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)`,
    [LEDGER_TABLES],
  )
  for (const { drop } of [...constraints, ...indexes]) await rows(em, drop)
  // What shows items to people, and what watches them, keeps the types of their columns; audit reads the table.
  await rows(em, 'DROP VIEW IF EXISTS shown_items')
  await rows(em, 'DROP TRIGGER IF EXISTS keep_changed_item ON items')
  await rows(em, 'DROP TRIGGER IF EXISTS blocks_append_to_log ON blocks')
  for (const { table, name, type } of await ledgerColumns({ em }))
    if (type === 'timestamp with time zone')
      await rows(em, `ALTER TABLE ${table} ALTER ${name} TYPE timestamptz(6)`)
}

/** What the audit says after the change, up to so many disagreements; the change itself is undone. */
export async function auditAfter(
  { store, masterKey }: TestLedger,
  tamper: (tx: EntityManager) => Promise<unknown>,
  limit = 1,
): Promise<Awaited<ReturnType<typeof auditLedger>>> {
  let report: Awaited<ReturnType<typeof auditLedger>> | undefined
  const undone = new Error('undone')
  await inTransaction(store.em(), async (tx) => {
    await tamper(tx)
    report = await auditLedger({ em: tx, masterKey }, { limit })
    throw undone
  }).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  if (report === undefined) throw new Error('the audit did not run')
  return report
}

const valueIn = async (em: EntityManager, { table, name }: Column, where: string): Promise<unknown> =>
  (await row<{ value: unknown }>(em, `SELECT ${name} AS value FROM ${table} WHERE ${where}`)).value

/** Whether there is something to flip. */
export const hasBits = async (em: EntityManager, column: Column, where: string): Promise<boolean> =>
  (await valueIn(em, column, where)) !== null

/** Flips one bit of one value, at its beginning or its end. */
export async function flipBit(
  tx: EntityManager,
  column: Column,
  { where, end }: { where: string; end: 'first' | 'last' },
): Promise<unknown> {
  const { table, name, type } = column
  const set = (expression: string, parameters: unknown[] = []) =>
    rows(tx, `UPDATE ${table} SET ${name} = ${expression} WHERE ${where}`, parameters)
  switch (type) {
    case 'bytea': {
      const bit = end === 'first' ? '0' : `bit_length(${name}) - 1`
      return set(`set_bit(${name}, ${bit}, 1 - get_bit(${name}, ${bit}))`)
    }
    case 'text':
      return set('$1', [flippedText(String(await valueIn(tx, column, where)), end)])
    case 'integer':
    case 'smallint':
      return set(`${name} # ${end === 'first' ? (type === 'integer' ? 1 << 30 : 1 << 14) : 1}`)
    case 'timestamp with time zone':
      return set(`${name} + interval '${end === 'first' ? 2 ** 40 : 1} microseconds'`)
    default:
      throw new Error(`no bit of a ${type} is flipped yet`)
  }
}

/** The lowest bit of an ASCII character, so that the text stays UTF-8. */
function flippedText(text: string, end: 'first' | 'last'): string {
  const isAscii = (at: number) => text.charCodeAt(at) < 128
  const places = Array.from(text, (_, at) => at).filter(isAscii)
  const at = (end === 'first' ? places[0] : places.at(-1)) ?? 0
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
}
