// Seals every value of a column under another master key.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { MasterKey } from '../kernel/sealed.ts'
import { change, rows } from './rows.ts'

/** A column of sealed values. Identifiers written in our own code, never anything from outside. */
export interface SealedColumn<Id extends string | Buffer> {
  readonly table: string
  readonly id: string
  readonly idType: 'text' | 'bytea'
  readonly column: string
  /** Where the value of a row is sealed to. */
  readonly placeOf: (id: Id) => string
}

const ROWS_PER_PIECE = 1_000

/**
 * Inside a transaction of the caller's: all or nothing. The table is locked against writers until it ends, so that
 * nothing is sealed under the old key behind our back. Answers how many values there were.
 * @throws SealBroken when one does not open
 */
export async function rewrapSealed<Id extends string | Buffer>(
  em: EntityManager,
  { table, id, idType, column, placeOf }: SealedColumn<Id>,
  { from, to }: { readonly from: MasterKey; readonly to: MasterKey },
): Promise<number> {
  await rows(em, `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`)
  let done = 0
  for (let last: Id | null = null; ; ) {
    const piece: { id: Id; sealed: Buffer }[] = await rows(
      em,
      `SELECT ${id} AS id, ${column} AS sealed FROM ${table}
        WHERE ${column} IS NOT NULL AND ($1::${idType} IS NULL OR ${id} > $1) ORDER BY ${id} LIMIT $2`,
      [last, ROWS_PER_PIECE],
    )
    if (piece.length === 0) return done
    const wrapped = piece.map(({ id: of, sealed }) => to.seal(from.open(sealed, placeOf(of)), placeOf(of)))
    done += await change(
      em,
      `UPDATE ${table} SET ${column} = w.sealed
         FROM unnest($1::${idType}[], $2::bytea[]) AS w (id, sealed) WHERE ${table}.${id} = w.id`,
      [piece.map(({ id: of }) => of), wrapped],
    )
    last = piece.at(-1)?.id ?? null
  }
}
