// Goes through every value of a sealed column: seals it under another master key, or tries whether it opens.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { type MasterKey, SealBroken } from '../kernel/sealed.ts'
import { bytes } from './columns.ts'
import { change, rows } from './run.ts'
import { idText, type RowId, sealedColumns, type WalkedColumn } from './sealed_columns.ts'
import { command, type Sql, statement } from './statement.ts'

/** A value that the master key does not open. */
export interface Unopened {
  readonly table: string
  readonly id: string
  readonly column: string
}

const ROWS_PER_PIECE = 1_000

/**
 * Runs inside the caller's transaction: all or nothing. The table is locked against writers until the transaction
 * ends, so that no value that its owner has removed or replaced meanwhile comes back; also against those who lock a row
 * before they write it, because both would wait for each other. A value that does not open stays
 * as it is and is named, unless it is sealed under the new key already.
 * @returns the number of values that are now sealed under the new key, and those that are not
 */
export async function rewrapColumn(
  em: EntityManager,
  walked: WalkedColumn,
  { from, to }: { readonly from: MasterKey; readonly to: MasterKey },
): Promise<{ readonly sealed: number; readonly unopened: readonly Unopened[] }> {
  const table = sql.table(walked.table)
  const id = sql.ref(walked.id)
  const column = sql.ref(walked.column)
  const type = sql.raw(walked.kind.type)
  const unopened: Unopened[] = []
  let sealed = 0
  await change(em, command(sql`LOCK TABLE ${table} IN EXCLUSIVE MODE`))
  for await (const piece of pieces(em, walked)) {
    const wrapped = piece.flatMap((one) => {
      const place = walked.placeOf(one.id)
      const plain = opened(from, one.sealed, place)
      if (plain !== undefined) return [{ id: one.id, sealed: to.seal(plain, place) }]
      if (opened(to, one.sealed, place) === undefined) unopened.push(named(walked, one.id))
      return []
    })
    sealed += await change(
      em,
      command(sql`
        UPDATE ${table} SET ${column} = w.sealed
          FROM unnest(${wrapped.map((one) => one.id)}::${type}[], ${wrapped.map((one) => one.sealed)}::bytea[]) AS w (id, sealed)
         WHERE ${table}.${id} = w.id`),
    )
  }
  return { sealed, unopened }
}

/** Every sealed value that does not open. Reads all of them, a piece at a time, and locks nothing. */
export async function* unopenedValues({
  em,
  masterKey,
}: {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}): AsyncGenerator<Unopened> {
  for (const walked of sealedColumns)
    for await (const piece of pieces(em, walked))
      for (const one of piece)
        if (opened(masterKey, one.sealed, walked.placeOf(one.id)) === undefined) yield named(walked, one.id)
}

const named = ({ table, column }: WalkedColumn, id: RowId): Unopened => ({ table, id: idText(id), column })

function opened(key: MasterKey, sealed: Uint8Array, place: string): Buffer | undefined {
  try {
    return key.open(sealed, place)
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

/** In the order of the ids. Index: the primary key of the table. */
async function* pieces(em: EntityManager, { table, id, kind, column }: WalkedColumn) {
  const idColumn = sql.ref(id)
  const after = (condition: Sql) =>
    statement(
      { id: kind, sealed: bytes },
      sql`SELECT ${idColumn} AS id, ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
           WHERE ${sql.ref(column)} IS NOT NULL AND ${condition} ORDER BY ${idColumn} LIMIT ${ROWS_PER_PIECE}`,
    )
  for (let condition: Sql = sql`true`; ; ) {
    const piece = await rows(em, after(condition))
    const last = piece.at(-1)
    if (last === undefined) return
    yield piece
    condition = sql`${idColumn} > ${last.id}`
  }
}
