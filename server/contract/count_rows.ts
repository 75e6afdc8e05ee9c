// Counts the rows of a list. A count looks at a limited number of rows, and is exact or refused.
import { statement } from '../store/statement.ts'
import { type KeysetPlace, keysetOf } from './keyset.ts'
import { FIRST_PIECE, LARGEST_PIECE, lookedAt, nextPiece, type Reader, within } from './read_phase.ts'
import { countStatement, phasesOf, type WalkPhase } from './walk_statements.ts'

/** @throws query_too_expensive when too many rows would have to be looked at */
export async function countRows<Row extends object, Context>(reader: Reader<Row, Context>): Promise<number> {
  const { before } = await findNth(reader, Number.POSITIVE_INFINITY)
  return before
}

/** Where the nth row of a list is. */
interface Nth {
  /** Rows before the piece. */
  readonly before: number
  /** Undefined when the list has fewer rows. */
  readonly within?: { readonly phase: WalkPhase; readonly piece: number }
}

/**
 * Counts rows from the start, piece by piece, until one contains the row.
 * @param nth 0 is the first row
 * @throws query_too_expensive when too many rows would have to be looked at
 */
export async function findNth<Row extends object, Context>(
  reader: Reader<Row, Context>,
  nth: number,
): Promise<Nth> {
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
export async function countPiece<Row extends object, Context>(
  { resource, keys, walk, query }: Reader<Row, Context>,
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
