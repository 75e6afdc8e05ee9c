// Loads the related rows of a page, with a query per relationship and batch of rows, not per row.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { texts } from '../store/columns.ts'
import { rows, type Sql } from '../store/statement.ts'
import type { ExpensiveReads, Query } from './expensive_reads.ts'
import type { Relationship, Resource } from './resource.ts'
import { type PageRow, type Room, rowColumns, type Shows, takeWhatFits, withinRoom } from './row_columns.ts'

/** Returns the published resource of this type. */
export type Related<Context> = (type: string) => Resource<object, Context>

/** What loading takes of the context of a request. */
interface Loading {
  readonly em: EntityManager
  readonly expensively: ExpensiveReads
}

/** The relationship that is followed, and how. */
interface Followed<Context> {
  readonly source: Resource<object, Context>
  readonly relationship: Relationship
  readonly context: Context
  readonly related: Related<Context>
  /** Which fields of the related rows are shown. */
  readonly shows: Shows
  /** The space left in the answer. Loading rows reduces it. */
  readonly room: Room
}

/**
 * For a relationship to many, one query reads the related rows of at most this many rows, and of each as many as are
 * usual. A row that has more is read by itself. PostgreSQL collects the rows of a query before it counts their bytes,
 * so this bounds its memory.
 */
const SOURCES_AT_ONCE = 25

/**
 * Loads the related rows that the caller may read, until the room is full. A relationship to many is an expensive
 * read, because PostgreSQL checks visibility row by row and may check many rows in vain.
 * @param most return at most this many per row
 * @returns `rows` by the id of their source row: sources in the requested order, related rows in the order of their own
 * ids; `missing` are the ids of source rows whose related rows are incomplete because the room ran out: one requested row
 * and all after it
 * @throws query_too_expensive
 */
export async function loadRelated<Context extends Loading>(
  { source, relationship, context, related: find, shows, room }: Followed<Context>,
  ids: readonly string[],
  most?: number,
) {
  const { em, expensively } = context
  const { target, on, many, most: usual = 1 } = relationship
  const to = find(target)
  const related = new Map<string, object[]>(ids.map((id) => [id, []]))
  const columns = rowColumns(to, 'r', shows)
  const visible = to.visible(context, 'r')
  const reading = { ...columns, source, to, on: on('s', 'r'), visible }
  const shape = { shape: { ...columns.shape, 'source ids': texts }, isLegible: columns.isLegible }
  /** Returns the first row that does not fit. */
  const take = (found: readonly PageRow[]): PageRow | undefined => {
    const { fits, isCut } = takeWhatFits(found, room, { isPage: false })
    for (const one of found.slice(0, fits)) {
      const row = to.hydrate(one)
      for (const id of sourcesOf(one)) related.get(id)?.push(row)
    }
    return isCut ? found[fits] : undefined
  }
  const loadMembers = async (query: Query): Promise<PageRow | undefined> => {
    for (let at = 0; at < ids.length; ) {
      const some = ids.slice(at, at + SOURCES_AT_ONCE)
      const found = await query(withinRoom(shape, membersOf(reading, some, most ?? usual + 1), room))
      const long = most === undefined ? firstBeyond(found, usual) : undefined
      const cut = take(long === undefined ? found : found.slice(0, long.from))
      if (cut !== undefined) return cut
      at += long === undefined ? SOURCES_AT_ONCE : some.indexOf(long.id)
      if (long === undefined) continue
      const all = await query(withinRoom(shape, membersOf(reading, [long.id], room.rows + 1), room))
      const cutWithin = take(all)
      if (cutWithin !== undefined) return cutWithin
      at += 1
    }
    return undefined
  }
  const cut = many
    ? await expensively(loadMembers, { holdsRows: true })
    : take(await rows(em, withinRoom(shape, targetsOf(reading, ids), undefined)))
  const [cutAt] = cut === undefined ? [] : sourcesOf(cut)
  return { rows: related, missing: cutAt === undefined ? [] : ids.slice(ids.indexOf(cutAt)) }
}

/** The first source with more rows than this, and where its rows begin. The rows are in the order of their sources. */
function firstBeyond(found: readonly PageRow[], usual: number) {
  let from = 0
  let id = ''
  for (const [index, row] of found.entries()) {
    const [source = ''] = sourcesOf(row)
    if (source !== id) {
      id = source
      from = index
    } else if (index - from >= usual) return { id, from }
  }
  return undefined
}

const sourcesOf = ({ 'source ids': ids }: PageRow): string[] => (Array.isArray(ids) ? ids.map(String) : [])

interface Reading {
  readonly list: Sql
  readonly source: Pick<Resource<object, never>, 'table'>
  readonly to: Pick<Resource<object, never>, 'table'>
  readonly on: Sql
  readonly visible: Sql
}

/** At most `most` related rows of each source. */
const membersOf = ({ list, source, to, on, visible }: Reading, ids: readonly string[], most: number) => sql`
  SELECT ARRAY[s.id] AS "source ids", r.*
    FROM unnest(${ids}::text[]) WITH ORDINALITY AS wanted (id, place)
    JOIN ${sql.table(source.table)} AS s ON s.id = wanted.id
   CROSS JOIN LATERAL (
     SELECT ${list} FROM ${sql.table(to.table)} AS r WHERE ${on} AND ${visible} ORDER BY r.id LIMIT ${most}) AS r
   ORDER BY wanted.place, r.id`

/** The one related row of each source. A row that many sources share is read once. */
const targetsOf = ({ list, source, to, on, visible }: Reading, ids: readonly string[]): Sql => sql`
  SELECT linked."source ids", ${list}
    FROM (SELECT r.id, array_agg(wanted.id ORDER BY wanted.place) AS "source ids", min(wanted.place) AS place
            FROM unnest(${ids}::text[]) WITH ORDINALITY AS wanted (id, place)
            JOIN ${sql.table(source.table)} AS s ON s.id = wanted.id
            JOIN ${sql.table(to.table)} AS r ON ${on} AND ${visible}
           GROUP BY r.id) AS linked
    JOIN ${sql.table(to.table)} AS r ON r.id = linked.id
   ORDER BY linked.place`
