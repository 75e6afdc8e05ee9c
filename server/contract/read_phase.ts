// Reads and counts the rows of a list along its walk. Where rows must be judged, it looks at a limited number of them: a
// count is exact or refused.
import { mapInPieces, type YieldToEventLoop } from '../kernel/flow/in_pieces.ts'
import { refuse } from '../kernel/refusal.ts'
import { statement } from '../store/statement.ts'
import type { Query } from './expensive_reads.ts'
import { type KeysetPlace, keysetOf, type SortKey } from './keyset.ts'
import { type PageRow, type Room, type Shows, type Tabled, takeWhatFits, withinRoom } from './row_columns.ts'
import type { Walk } from './walk.ts'
import { countStatement, type Part, phasesOf, rowsOf, type WalkPhase } from './walk_statements.ts'

/** A row and what was read of it. Its position in the order is computed on request: a page needs that of two rows. */
export interface PlacedRow<Row> {
  readonly row: Row
  /** For `keysetOf`. */
  readonly columns: Readonly<Record<string, unknown>>
}

export interface Reader<Row> {
  readonly query: Query
  readonly resource: Tabled & { hydrate(columns: PageRow): Row }
  readonly keys: readonly SortKey[]
  readonly walk: Walk
  readonly shows: Shows
  /** The space left in the answer. */
  readonly room: Room
  readonly looks: Looks
  readonly yieldToEventLoop: YieldToEventLoop
  /** Present where every row is found by an index. A large page is then read in parts. */
  readonly furtherPart?: FurtherPart | undefined
}

/** Reads a part of a large page that is not its first. The parts of all callers are read one after the other. */
export type FurtherPart = <T>(read: () => Promise<T>) => Promise<T>

/** Bytes of heavy columns in one part of a page: more than most pages have, and read within milliseconds. */
const PART_BYTES = 1_048_576

/** Rows in order. `isCut` is true when the next row does not fit into the room. */
export interface ReadRows<Row> {
  readonly found: readonly PlacedRow<Row>[]
  readonly isCut: boolean
}

/**
 * Rows that one statement judges: few at first, because most pages are full soon. The planner expects that it reads the
 * index to this number, so it must stay small beside the table.
 */
const FIRST_PIECE = 1_000
const nextPiece = (size: number): number => Math.min(4 * size, LARGEST_PIECE)
const LARGEST_PIECE = 16_000

/**
 * Reads the rows beyond a position, nearest first. Rows that are not judged are not counted against `looks`.
 * @throws query_too_expensive when too many rows were judged
 */
export async function readBeyond<Row>(
  reader: Reader<Row>,
  from: KeysetPlace | undefined,
  backwards: boolean,
  limit: number,
): Promise<ReadRows<Row>> {
  const found: PlacedRow<Row>[] = []
  let at = from
  for (let size = FIRST_PIECE; ; size = nextPiece(size)) {
    const read = () => readPiece(reader, at, backwards, { limit, size, found })
    const next = await (found.length > 0 && reader.furtherPart !== undefined
      ? reader.furtherPart(read)
      : read())
    if (next === 'cut') return { found, isCut: true }
    if (next === undefined) return { found, isCut: false }
    at = next
  }
}

/** Returns where the next piece starts; undefined when the page is full or the list ends; `cut` when the room is full. */
async function readPiece<Row>(
  reader: Reader<Row>,
  from: KeysetPlace | undefined,
  backwards: boolean,
  { limit, size, found }: { limit: number; size: number; found: PlacedRow<Row>[] },
): Promise<KeysetPlace | 'cut' | undefined> {
  for (const phase of phasesOf(reader.walk, reader.keys, from, backwards)) {
    const piece = within(reader.looks, size)
    const read = await readPhase(reader, phase, { piece, limit: limit - found.length })
    for (const one of read.found) found.push(one)
    if (read.isCut) return 'cut'
    if (found.length >= limit) return undefined
    if (read.next === undefined) continue
    if (reader.walk.judged !== undefined) lookedAt(reader.looks, piece)
    return read.next
  }
  return undefined
}

/** Rows that may still be judged, and how many there were in the beginning. */
interface Looks {
  left: number
  readonly most: number
}

/** The size of the next piece. */
const within = ({ left }: Looks, size: number): number => Math.max(1, Math.min(size, left))

/** @throws query_too_expensive when no more rows may be looked at */
export function lookedAt(looks: Looks, count: number): void {
  looks.left -= count
  if (looks.left > 0) return
  throw refuse('query_too_expensive', {
    detail: `more than ${looks.most} rows would have to be looked at; use an indexed filter or sort`,
    meta: { maximum_rows: looks.most },
  })
}

/**
 * Reads a part of one phase. It subtracts the bytes of its rows from the reader's room. `next` is where reading goes on
 * when the piece or the part is over.
 */
export async function readPhase<Row>(
  reader: Reader<Row>,
  phase: WalkPhase,
  part: Part,
): Promise<ReadRows<Row> & { readonly next?: KeysetPlace }> {
  const { query, resource, keys, walk, shows, room, yieldToEventLoop, furtherPart } = reader
  const { text, ...columns } = rowsOf({ resource, keys, walk, shows }, phase, part)
  const isHeavy = resource.heavy?.some(shows) === true
  const most = furtherPart === undefined ? room.bytes : Math.min(room.bytes, PART_BYTES)
  const read = await query(withinRoom(columns, text, isHeavy ? { bytes: most } : undefined))
  const [rows, mark] = withoutMark(read, keys)
  const next = mark ?? (most < room.bytes ? afterPart(rows, most, keys) : undefined)
  const { fits, isCut } = takeWhatFits(rows, room, { isPage: true })
  const placed = (columns: PageRow) => ({ row: resource.hydrate(columns), columns })
  // A row that needs no conversion takes no time.
  const found =
    resource.isLegible === true
      ? rows.slice(0, fits).map(placed)
      : await mapInPieces(rows.slice(0, fits), placed, yieldToEventLoop)
  return { found, isCut, ...(next === undefined ? {} : { next }) }
}

/** The place after a full part. Undefined when the rows end before the part does. */
function afterPart(
  rows: readonly PageRow[],
  most: number,
  keys: readonly SortKey[],
): KeysetPlace | undefined {
  const last = rows.at(-1)
  const isFull = rows.reduce((sum, { bytes }) => sum + bytes, 0) > most
  return last !== undefined && isFull ? { keyset: keysetOf(keys, last), inclusive: false } : undefined
}

/** The last row may be the one after the piece. It is not judged and only tells where the next piece starts. */
function withoutMark(read: readonly PageRow[], keys: readonly SortKey[]): [readonly PageRow[], KeysetPlace?] {
  const last = read.at(-1)
  return last?.['is mark'] === true
    ? [read.slice(0, -1), { keyset: keysetOf(keys, last), inclusive: true }]
    : [read]
}

/** True when a row exists beyond a position. Reads none of its columns. */
export async function isRowBeyond(reader: Reader<unknown>, from: KeysetPlace, backwards: boolean) {
  const room = { bytes: Number.POSITIVE_INFINITY, rows: 0 }
  const { found } = await readBeyond({ ...reader, room, shows: () => false }, from, backwards, 1)
  return found.length > 0
}

/** @throws query_too_expensive when too many rows would have to be looked at */
export async function countRows(reader: Reader<unknown>): Promise<number> {
  const { before } = await findNth(reader, Number.POSITIVE_INFINITY)
  return before
}

/**
 * Counts rows from the start, piece by piece, until one contains the row.
 * @param nth 0 is the first row
 * @returns the piece that the row is `within`, undefined when the list has fewer rows, and how many are `before` it
 * @throws query_too_expensive when too many rows would have to be looked at
 */
export async function findNth(reader: Reader<unknown>, nth: number) {
  const { walk, keys, looks } = reader
  const isJudged = walk.judged !== undefined && !walk.isGathered
  let before = 0
  let from: KeysetPlace | undefined
  // A count reads to the end, so small pieces would only be more statements.
  const first = nth === Number.POSITIVE_INFINITY ? LARGEST_PIECE : FIRST_PIECE
  for (let size = isJudged ? first : looks.left; ; size = nextPiece(size)) {
    let next: KeysetPlace | undefined
    for (const phase of phasesOf(walk, keys, from, false)) {
      const piece = within(looks, size)
      const counted = await countPiece(reader, phase, piece)
      if (isJudged && before + counted.count > nth) return { before, within: { phase, piece } }
      if (counted.isMore || !isJudged) lookedAt(looks, counted.isMore ? piece : counted.count)
      before += counted.count
      next = counted.next
      if (next !== undefined) break
    }
    if (next === undefined) return { before }
    from = next
  }
}

/** Counts the rows of a phase, or of its next piece when they are judged. */
export async function countPiece(
  { resource, keys, walk, query }: Reader<unknown>,
  phase: WalkPhase,
  piece: number,
): Promise<{ readonly count: number; readonly isMore: boolean; readonly next?: KeysetPlace }> {
  const { shape, text } = countStatement({ resource, keys, walk }, phase, piece)
  const [counted] = await query(statement(shape, text))
  const row: Readonly<Record<string, unknown>> = counted ?? {}
  const isMore = row['is more'] === true
  return {
    count: Number(row.count),
    isMore,
    ...(isMore && walk.judged !== undefined
      ? { next: { keyset: keysetOf(keys, row), inclusive: true } }
      : {}),
  }
}
