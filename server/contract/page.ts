// Pages: by keyset, so that rows that come and go beside a page neither shift nor repeat it; by offset where asked for.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Breathe } from '../kernel/in_pieces.ts'
import type { CursorCodec } from '../kernel/keyset.ts'
import { refuse } from '../kernel/refusal.ts'
import { ALWAYS, and } from '../store/conditions.ts'
import { rows } from '../store/run.ts'
import { type Sql, statement } from '../store/statement.ts'
import type { ExpensiveReads, Query } from './expensive_reads.ts'
import { isKeyset, type Place, type SortKey, sortName } from './keyset.ts'
import { type Encode, keysetPage, noPage, type Page } from './page_shape.ts'
import { readOffset } from './read_offset.ts'
import { countRows, isRowBeyond, type Placed, type Reader, readBeyond } from './read_phase.ts'
import type { Resource } from './resource.ts'
import { type Room, rowColumns, SHOWS_ALL, type Shows } from './row_columns.ts'

export interface PageRequest {
  /** Most significant first, the id last. */
  readonly sort: readonly SortKey[]
  readonly filter: Sql
  /** The filter is none, or one value of one field: see `isLookup`. */
  readonly isLookup: boolean
  readonly limit: number
  readonly count: boolean
  readonly after?: string
  readonly before?: string
  readonly offset?: number
  /** Without a cursor: the last rows instead of the first. */
  readonly fromEnd?: boolean
}

export interface PageCollaborators {
  readonly em: EntityManager
  readonly expensively: ExpensiveReads
  readonly cursors: CursorCodec
  /** Which fields will be shown. */
  readonly shows: Shows
  /** What the answer may still hold; rows are taken out of it. */
  readonly room: Room
  /** Between the rows of a long page. */
  readonly breathe: Breathe
}

/**
 * One page of the listed rows that match, with one probe past each end. It ends early where the room ends. A plain walk
 * along a sort is an index range by itself, and so is a lookup in the order of ids; other filters, counts and offsets
 * are expensive reads.
 * @throws invalid_keyset when a cursor is none of ours, or belongs to another resource or sort; query_too_expensive
 */
export async function readPage<Row extends object, Context>(
  { em, expensively, cursors, shows, room, breathe }: PageCollaborators,
  resource: Resource<Row, Context>,
  context: Context,
  request: PageRequest,
): Promise<Page<Row>> {
  const scope = `${resource.type}:${sortName(request.sort)}`
  const asked = readPlace(cursors, scope, request)
  // Before the turn begins: what this looks up is no expensive read, and must not take time from one.
  const listed = and([resource.visible(context, 'r'), await resource.listed(context), request.filter])
  const read = (query: Query): Promise<Page<Row>> => {
    const reader = { em, query, resource, keys: request.sort, listed, shows, room, breathe }
    return readWith(reader, request, asked, (keyset) => cursors.encode(scope, keyset))
  }
  return isPlain(request) ? read((statement) => rows(em, statement)) : expensively(read)
}

const isPlain = ({ filter, isLookup, sort, count, offset }: PageRequest): boolean =>
  !count && offset === undefined && (filter === ALWAYS || (isLookup && sort.length === 1))

async function readWith<Row extends object, Context>(
  reader: Reader<Row, Context>,
  request: PageRequest,
  asked: Asked | undefined,
  encode: Encode,
): Promise<Page<Row>> {
  const total = request.count ? await countRows(reader, ALWAYS) : null
  if (request.offset !== undefined) return readOffset(reader, request.limit, request.offset, total)
  const backwards = asked === undefined ? request.fromEnd === true : asked.side === 'before'
  const { found, isCut } = await readBeyond(reader, asked?.place, backwards, request.limit + 1)
  if (asked !== undefined && found.length === 0) {
    // Its rows have gone since: the way back begins at the row the cursor names, should that one still be there.
    const turn = { ...asked.place, inclusive: !asked.place.inclusive }
    const exists = await isRowBeyond(reader, turn, !backwards)
    return noPage(exists ? encode([...turn.keyset, turn.inclusive]) : null, backwards, total)
  }
  const isMore = isCut || found.length > request.limit
  const page = found.slice(0, request.limit)
  if (backwards) page.reverse()
  const isThereMore = async (edge: Placed<Row> | undefined, towardsStart: boolean): Promise<boolean> =>
    edge !== undefined && isRowBeyond(reader, { keyset: edge.keyset, inclusive: false }, towardsStart)
  return keysetPage(page, encode, {
    backwards,
    isCut,
    total,
    hasNext: backwards ? await isThereMore(page.at(-1), false) : isMore,
    hasPrev: backwards ? isMore : asked !== undefined && (await isThereMore(page.at(0), true)),
  })
}

/** One visible row by its id. */
export async function findRow<Row extends object, Context>(
  em: EntityManager,
  resource: Resource<Row, Context>,
  context: Context,
  id: string,
  shows: Shows = SHOWS_ALL,
): Promise<Row | undefined> {
  const { list, shape } = rowColumns(resource, 'r', shows)
  const [columns] = await rows(
    em,
    statement(
      shape,
      sql`SELECT ${list} FROM ${sql.table(resource.table)} AS r WHERE r.id = ${id} AND ${resource.visible(context, 'r')}`,
    ),
  )
  return columns === undefined ? undefined : resource.hydrate(em, columns)
}

interface Asked {
  readonly side: 'after' | 'before'
  readonly place: Place
}

/** A cursor is the keyset of a row, and `true` behind it when that row itself belongs to the page. */
function readPlace(
  cursors: CursorCodec,
  scope: string,
  { after, before, sort }: PageRequest,
): Asked | undefined {
  const side = after === undefined ? 'before' : 'after'
  const text = after ?? before
  if (text === undefined) return undefined
  const decoded = cursors.decode(scope, text) ?? []
  const keyset = decoded.slice(0, sort.length)
  if (!isKeyset(sort, keyset))
    throw refuse('invalid_keyset', {
      parameter: `page[${side}]`,
      meta: { value: text.slice(0, 200), key: side },
    })
  return { side, place: { keyset, inclusive: decoded[sort.length] === true } }
}
