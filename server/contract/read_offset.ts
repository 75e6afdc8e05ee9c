// Reads a page by position, for people who jump between pages. Rows inserted or removed meanwhile shift the pages.
import { countPiece, findNth } from './count_rows.ts'
import { keysetOf } from './keyset.ts'
import { offsetPage, type Page } from './page_shape.ts'
import { lookedAt, type Placed, type Reader, readBeyond, readPhase } from './read_phase.ts'
import { phasesOf } from './walk_statements.ts'

/**
 * Reads one page from a position. Its cost grows with the offset, because the rows before it are looked at.
 * @throws query_too_expensive when those are too many
 */
export async function readOffset<Row extends object, Context>(
  reader: Reader<Row, Context>,
  limit: number,
  offset: number,
  total: number | null,
): Promise<Page<Row>> {
  const { walk } = reader
  const isJudged = walk.judged !== undefined && !walk.isGathered
  const { found, isCut } = await (isJudged ? readJudged : readPlain)(reader, limit + 1, offset)
  const page = found.slice(0, limit).map(({ row }) => row)
  return offsetPage(page, offset, limit, { isMore: isCut || found.length > limit, isCut, total })
}

interface Found<Row> {
  readonly found: readonly Placed<Row>[]
  readonly isCut: boolean
}

async function readPlain<Row extends object, Context>(
  reader: Reader<Row, Context>,
  limit: number,
  offset: number,
): Promise<Found<Row>> {
  const { walk, keys, looks } = reader
  const rows: Placed<Row>[] = []
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

async function readJudged<Row extends object, Context>(
  reader: Reader<Row, Context>,
  limit: number,
  offset: number,
): Promise<Found<Row>> {
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
