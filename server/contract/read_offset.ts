// Reads a page by position, for people who jump between pages. Rows inserted or removed meanwhile shift the pages.
import { phasesBeyond } from './keyset.ts'
import { offsetPage, type Page } from './page_shape.ts'
import { countRows, type Reader, readPhase } from './read_phase.ts'

/** Reads one page from a position. It counts the rows of skipped phases, so its cost grows with the offset. */
export async function readOffset<Row extends object, Context>(
  reader: Reader<Row, Context>,
  limit: number,
  offset: number,
  total: number | null,
): Promise<Page<Row>> {
  const rows: Row[] = []
  let isCut = false
  let skip = offset
  for (const phase of phasesBeyond(reader.keys, undefined, false)) {
    const read = await readPhase(reader, phase, limit + 1 - rows.length, skip)
    for (const { row } of read.found) rows.push(row)
    isCut = read.isCut
    if (isCut || rows.length > limit) break
    skip =
      read.found.length > 0 || skip === 0 ? 0 : Math.max(0, skip - (await countRows(reader, phase.where)))
  }
  const page = rows.slice(0, limit)
  return offsetPage(page, offset, limit, { isMore: isCut || rows.length > limit, isCut, total })
}
