// Seals every value of a column under another master key.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { MasterKey } from '../kernel/sealed.ts'
import { bytes, type Column } from './columns.ts'
import { change, rows } from './run.ts'
import { command, type Sql, statement } from './statement.ts'

/** A column with sealed values. Identifiers come from our own code, never from outside. */
export interface SealedColumn<Id extends string | number | Buffer> {
  readonly table: string
  readonly id: string
  /** The type of the ids. */
  readonly kind: Column<Id, unknown>
  readonly column: string
  /** The place that the value of a row is bound to. */
  readonly placeOf: (id: Id) => string
}

const ROWS_PER_PIECE = 1_000

/**
 * Runs inside the caller's transaction: all or nothing. The table is locked against writers until the transaction
 * ends, so that nothing new is sealed under the old key. Returns the number of values.
 * @throws SealBroken when a value does not open
 */
export async function rewrapSealed<Id extends string | number | Buffer>(
  em: EntityManager,
  sealed: SealedColumn<Id>,
  { from, to }: { readonly from: MasterKey; readonly to: MasterKey },
): Promise<number> {
  const table = sql.table(sealed.table)
  const id = sql.ref(sealed.id)
  const column = sql.ref(sealed.column)
  const type = sql.raw(sealed.kind.type)
  const pieceAfter = (condition: Sql) =>
    statement(
      { id: sealed.kind, sealed: bytes },
      sql`SELECT ${id} AS id, ${column} AS sealed FROM ${table}
           WHERE ${column} IS NOT NULL AND ${condition} ORDER BY ${id} LIMIT ${ROWS_PER_PIECE}`,
    )
  await change(em, command(sql`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`))
  let done = 0
  for (let condition: Sql = sql`true`; ; ) {
    const piece = await rows(em, pieceAfter(condition))
    const last = piece.at(-1)
    if (last === undefined) return done
    const places = piece.map((one) => sealed.placeOf(one.id))
    const wrapped = piece.map((one, at) => {
      const place = places[at] ?? ''
      return to.seal(from.open(one.sealed, place), place)
    })
    done += await change(
      em,
      command(sql`
        UPDATE ${table} SET ${column} = w.sealed
          FROM unnest(${piece.map((one) => one.id)}::${type}[], ${wrapped}::bytea[]) AS w (id, sealed)
         WHERE ${table}.${id} = w.id`),
    )
    condition = sql`${id} > ${last.id}`
  }
}
