// The statements of a page: each reads one phase of the order, which is one range of an index.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { KeysetValue } from '../kernel/keyset.ts'
import { compile, literal, type Sql, sql } from '../store/sql_text.ts'
import type { Query } from './expensive_reads.ts'
import { keyColumns, keysetOf, type Phase, type Place, phasesBeyond, type SortKey } from './keyset.ts'
import type { Resource } from './resource.ts'

/** A row, and where it stands. */
export interface Placed<Row> {
  readonly row: Row
  readonly keyset: readonly KeysetValue[]
}

export interface Reader<Row extends object, Context> {
  /** For `hydrate` alone. */
  readonly em: EntityManager
  readonly query: Query
  readonly resource: Resource<Row, Context>
  readonly keys: readonly SortKey[]
  /** Which rows are listed at all. */
  readonly listed: Sql
}

/** One phase of a page, as it is read. Index: one that begins with what `listed` compares, then the keys. */
export const pageStatement = <Row extends object, Context>(
  { resource, keys, listed }: Omit<Reader<Row, Context>, 'em' | 'query'>,
  { where, order }: Phase,
  limit: number,
  offset = 0,
): { text: string; parameters: readonly unknown[] } =>
  compile(sql`SELECT r.*, ${keyColumns(keys)} FROM ${literal(resource.table)} AS r
     WHERE ${listed} AND ${where} ORDER BY ${order} LIMIT ${limit}
     ${offset === 0 ? literal('') : sql`OFFSET ${offset}`}`)

export async function readPhase<Row extends object, Context>(
  reader: Reader<Row, Context>,
  phase: Phase,
  limit: number,
  offset = 0,
): Promise<Placed<Row>[]> {
  const { em, query, resource, keys } = reader
  const { text, parameters } = pageStatement(reader, phase, limit, offset)
  return (await query(text, parameters)).map((columns) => ({
    row: resource.hydrate(em, columns),
    keyset: keysetOf(keys, columns),
  }))
}

/** Rows beyond a place, nearest first. */
export async function readBeyond<Row extends object, Context>(
  reader: Reader<Row, Context>,
  from: Place | undefined,
  backwards: boolean,
  limit: number,
): Promise<Placed<Row>[]> {
  const found: Placed<Row>[] = []
  for (const phase of phasesBeyond(reader.keys, from, backwards)) {
    found.push(...(await readPhase(reader, phase, limit - found.length)))
    if (found.length >= limit) break
  }
  return found
}

/** How many of the listed rows a phase has; all with `true`. */
export async function countRows<Row extends object, Context>(
  { query, resource, listed }: Reader<Row, Context>,
  where: Sql,
): Promise<number> {
  const { text, parameters } = compile(
    sql`SELECT count(*)::float8 AS total FROM ${literal(resource.table)} AS r WHERE ${listed} AND ${where}`,
  )
  const [counted] = await query(text, parameters)
  return Number(counted?.total)
}
