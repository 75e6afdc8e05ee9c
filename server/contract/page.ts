// Reads pages by keyset, so that rows inserted or removed elsewhere neither shift nor repeat
// rows; by offset on request.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Ceilings } from '../kernel/ceilings.ts'
import type { YieldToEventLoop } from '../kernel/flow/in_pieces.ts'
import { refuse } from '../kernel/refusal.ts'
import { ALWAYS, rows } from '../store/statement.ts'
import type { ExpensiveReads, Query } from './expensive_reads.ts'
import type { ListFilter } from './filter.ts'
import {
  type CursorCodec,
  isKeyset,
  type KeysetPlace,
  type KeysetValue,
  keysetOf,
  type SortKey,
  sortName,
} from './keyset.ts'
import { keysetPage, noPage, offsetPage, type Page } from './page_shape.ts'
import {
  countPiece,
  countRows,
  type FurtherPart,
  findNth,
  isRowBeyond,
  lookedAt,
  type PlacedRow,
  type Reader,
  type ReadRows,
  readBeyond,
  readPhase,
} from './read_phase.ts'
import type { Resource } from './resource.ts'
import { type Room, rowColumns, SHOWS_ALL, type Shows, withinRoom } from './row_columns.ts'
import { chooseWalk } from './walk.ts'
import { phasesOf } from './walk_statements.ts'

/**
 * Reads one page from a position. Its cost grows with the offset, because the rows before it are looked at.
 * @throws query_too_expensive when those are too many
 */
async function readOffset<Row>(reader: Reader<Row>, limit: number, offset: number, total: number | null) {
  const { walk } = reader
  const isJudged = walk.judged !== undefined && !walk.isGathered
  const { found, isCut } = await (isJudged ? readJudged : readPlain)(reader, limit + 1, offset)
  const page = found.slice(0, limit).map(({ row }) => row)
  return offsetPage(page, offset, limit, { isMore: isCut || found.length > limit, isCut, total })
}

async function readPlain<Row>(reader: Reader<Row>, limit: number, offset: number): Promise<ReadRows<Row>> {
  const { walk, keys, looks } = reader
  const rows: PlacedRow<Row>[] = []
  let skip = offset
  for (const phase of phasesOf(walk, keys, undefined, false)) {
    const mayBeRead = skip < looks.left
    const part = { piece: 0, limit: limit - rows.length, offset: skip }
    const { found, isCut } = mayBeRead ? await readPhase(reader, phase, part) : NOTHING
    for (const one of found) rows.push(one)
    if (isCut || rows.length >= limit) return { found: rows, isCut }
    if (found.length > 0) skip = 0
    if (skip === 0) continue
    const { count } = await countPiece(reader, phase, looks.left)
    lookedAt(looks, count)
    skip = Math.max(0, skip - count)
  }
  return { found: rows, isCut: false }
}

const NOTHING = { found: [], isCut: false } as const

async function readJudged<Row>(reader: Reader<Row>, limit: number, offset: number): Promise<ReadRows<Row>> {
  const { before, within } = await findNth(reader, offset)
  if (within === undefined) return NOTHING
  const { phase, piece } = within
  const first = await readPhase(reader, phase, { piece, limit, offset: offset - before })
  const last = first.found.at(-1)
  const next =
    first.next ??
    (last === undefined ? undefined : { keyset: keysetOf(reader.keys, last.columns), inclusive: false })
  if (first.isCut || first.found.length >= limit || next === undefined) return first
  const rest = await readBeyond(reader, next, false, limit - first.found.length)
  return { found: [...first.found, ...rest.found], isCut: rest.isCut }
}

export interface PageRequest {
  /** The sort, most significant key first. The last key is the id. */
  readonly sort: readonly SortKey[]
  readonly filter: ListFilter
  readonly limit: number
  readonly count: boolean
  /** No rows are wanted, so none are read. */
  readonly countAlone?: boolean
  readonly after?: string
  readonly before?: string
  readonly offset?: number
  /** Without a cursor: read the last rows, not the first. */
  readonly fromEnd?: boolean
}

/** What reading a page takes of the context of its request. */
interface Listing {
  readonly em: EntityManager
  readonly expensively: ExpensiveReads
  /** Runs between the rows of a long page, so that other requests get processor time. */
  readonly yieldToEventLoop: YieldToEventLoop
  readonly services: {
    /** Reads from a replica, which may be a little behind. Absent when there is none. */
    readonly listing?: Query
    readonly furtherPart: FurtherPart
    readonly ceilings: Pick<Ceilings, 'rows_looked_at'>
  }
}

/**
 * Reads one page of the listed rows that match, and looks for one more row past each end. The page ends early when
 * the room is full. A page without a filter, or a lookup ordered by id, is one index range. Other filters, sorts with
 * them, counts and offsets are expensive reads. When too many rows would have to be looked at, the page is refused.
 * @param room the space left in the answer, which reading rows reduces
 * @throws invalid_keyset when the cursor is not ours or belongs to another resource or sort; query_too_expensive
 */
export async function readPage<Row extends object, Context extends Listing>(
  { cursors, shows, room }: { readonly cursors: CursorCodec; readonly shows: Shows; readonly room: Room },
  resource: Resource<Row, Context>,
  context: Context,
  request: PageRequest,
): Promise<Page<Row>> {
  const { em, expensively, yieldToEventLoop } = context
  const { listing, ceilings, furtherPart } = context.services
  const scope = `${resource.type}:${sortName(request.sort)}`
  const keys = withoutImplied(resource, request.sort)
  const position = readPlace(cursors, scope, { ...request, sort: keys })
  const { filter } = request
  const read = async (query: Query, isPlain: boolean): Promise<Page<Row>> => {
    const walk = await chooseWalk(resource, context, { filter, sort: keys }, isPlain ? undefined : query)
    const looks = { left: ceilings.rows_looked_at, most: ceilings.rows_looked_at }
    const reader = {
      ...{ query, resource, keys, walk, looks, shows, room, yieldToEventLoop },
      ...(isPlain ? { furtherPart } : {}),
    }
    return readWith(reader, request, position, (keyset) => cursors.encode(scope, keyset))
  }
  // The tenant is resolved before the expensive read starts, so that its query does not use the caller's turn.
  await resource.listed(context)
  if (!isPlain(request, keys)) return expensively((query) => read(query, false))
  const onPrimary = () => read((statement) => rows(em, statement), true)
  if (listing === undefined) return onPrimary()
  const page = await read(listing, true)
  // A cursor may name a row that the replica does not have yet.
  return position !== undefined && page.rows.length === 0 ? onPrimary() : page
}

const isPlain = ({ filter, count, offset }: PageRequest, keys: readonly SortKey[]): boolean =>
  !count &&
  offset === undefined &&
  (filter.where === ALWAYS ? hasIndex(keys) : filter.isLookup && keys.length === 1)

/** True for the id, and for one field and the id in the same direction. Other sorts must sort rows. */
const hasIndex = ([first, second, ...more]: readonly SortKey[]): boolean =>
  more.length === 0 &&
  (second === undefined || (second.name === 'id' && second.descending === first?.descending))

/** Leaves out a key that has the same order as the id after it. */
export const withoutImplied = (
  { finds }: Pick<Resource<object, never>, 'finds'>,
  sort: readonly SortKey[],
): readonly SortKey[] => {
  const [first, second] = sort
  const isImplied =
    first !== undefined &&
    first.name === finds?.sameOrderAsId &&
    second?.name === 'id' &&
    second.descending === first.descending
  return isImplied ? sort.slice(1) : sort
}

async function readWith<Row>(
  reader: Reader<Row>,
  request: PageRequest,
  position: Position | undefined,
  encode: (keyset: readonly KeysetValue[]) => string,
): Promise<Page<Row>> {
  const total = request.count ? await countRows(reader) : null
  if (request.countAlone === true) return noPage(null, false, total)
  if (request.offset !== undefined) return readOffset(reader, request.limit, request.offset, total)
  const backwards = position === undefined ? request.fromEnd === true : position.side === 'before'
  const { found, isCut } = await readBeyond(reader, position?.place, backwards, request.limit + 1)
  if (position !== undefined && found.length === 0) {
    // The rows beyond the cursor were removed. The way back starts at the cursor's row, if that row still exists.
    const returning = { ...position.place, inclusive: !position.place.inclusive }
    const exists = await isRowBeyond(reader, returning, !backwards)
    return noPage(exists ? encode([...returning.keyset, returning.inclusive]) : null, backwards, total)
  }
  const isMore = isCut || found.length > request.limit
  const page = found.slice(0, request.limit)
  if (backwards) page.reverse()
  const isThereMore = async (edge: PlacedRow<Row> | undefined, towardsStart: boolean): Promise<boolean> =>
    edge !== undefined &&
    isRowBeyond(reader, { keyset: keysetOf(reader.keys, edge.columns), inclusive: false }, towardsStart)
  return keysetPage(page, ({ columns }) => encode(keysetOf(reader.keys, columns)), {
    backwards,
    isCut,
    total,
    hasNext: backwards ? await isThereMore(page.at(-1), false) : isMore,
    hasPrev: backwards ? isMore : position !== undefined && (await isThereMore(page.at(0), true)),
  })
}

/** Returns the row with this id when the caller may see it, otherwise undefined. */
export async function findRow<Row extends object, Context extends Pick<Listing, 'em'>>(
  resource: Resource<Row, Context>,
  context: Context,
  id: string,
  shows: Shows = SHOWS_ALL,
): Promise<Row | undefined> {
  const { em } = context
  const { list, ...read } = rowColumns(resource, 'r', shows)
  const found = sql`SELECT ${list} FROM ${sql.table(resource.table)} AS r WHERE r.id = ${id} AND ${resource.visible(context, 'r')}`
  const [columns] = await rows(em, withinRoom(read, found, undefined))
  return columns === undefined ? undefined : resource.hydrate(columns)
}

interface Position {
  readonly side: 'after' | 'before'
  readonly place: KeysetPlace
}

/** Decodes a cursor. It contains the keyset of a row, followed by `true` when that row belongs to the page. */
function readPlace(
  cursors: CursorCodec,
  scope: string,
  { after, before, sort }: PageRequest,
): Position | undefined {
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
