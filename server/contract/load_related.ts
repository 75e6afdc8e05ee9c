// Loads what a page's rows relate to: one query per relationship, never one per row.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../kernel/refusal.ts'
import { rows } from '../store/rows.ts'
import { compile, literal, sql } from '../store/sql_text.ts'
import type { ExpensiveReads } from './expensive_reads.ts'
import type { Relationship } from './relationship.ts'
import type { Resource } from './resource.ts'

/** Finds a published resource by its type. */
export type Related<Context> = (type: string) => Resource<object, Context>

export interface RelatedCollaborators<Context> {
  readonly em: EntityManager
  readonly expensively: ExpensiveReads
  readonly related: Related<Context>
}

/** So many related rows of one row are embedded; more are a list of their own. */
export const MAX_RELATED = 250

/**
 * Related rows by the id of the row they belong to, in order of their ids; only those the caller may read. Of a
 * relationship to many, whether a row may be read is judged one by one, and nobody knows how many are judged in vain:
 * that is an expensive read.
 * @param most for surfaces that ask for the first so many; without it a row that has too many is refused
 * @throws query_too_expensive
 */
export async function loadRelated<Context>(
  { em, expensively, related: find }: RelatedCollaborators<Context>,
  source: Resource<object, Context>,
  name: string,
  { target, on, many }: Relationship,
  context: Context,
  ids: readonly string[],
  most?: number,
): Promise<ReadonlyMap<string, readonly object[]>> {
  const to = find(target)
  const { text, parameters } = compile(sql`
    SELECT s.id AS "source id", r.*
      FROM ${literal(source.table)} AS s
     CROSS JOIN LATERAL (
       SELECT r.* FROM ${literal(to.table)} AS r
        WHERE ${on('s', 'r')} AND ${to.visible(context, 'r')}
        ORDER BY r.id LIMIT ${most ?? MAX_RELATED + 1}) AS r
     WHERE s.id = ANY(${ids}::text[])`)
  const related = new Map<string, object[]>(ids.map((id) => [id, []]))
  const found = many
    ? await expensively((query) => query(text, parameters))
    : await rows<Record<string, unknown>>(em, text, parameters)
  for (const { 'source id': id, ...columns } of found) {
    const list = related.get(String(id))
    list?.push(to.hydrate(em, columns))
    if (most === undefined && list !== undefined && list.length > MAX_RELATED)
      throw refuse('invalid_includes', {
        parameter: 'include',
        detail: `${name} has more than ${MAX_RELATED} members; list them with a filter instead`,
        meta: { maximum: MAX_RELATED },
      })
  }
  return related
}
