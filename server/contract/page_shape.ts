// The result of reading a page: its rows and the cursors of its neighbours. It can be cut when
// an answer holds fewer rows.
import type { PlacedRow } from './read_phase.ts'

export interface Page<Row> {
  readonly rows: readonly Row[]
  /**
   * Returns the cursor of the row at an index, or undefined when there is none. Computed on request,
   * because each one is a MAC.
   */
  readonly cursorAt: (index: number) => string | undefined
  /** Cursors of the neighbouring pages, or offsets in an offset page. Null when there is no such page. */
  readonly next: string | null
  readonly prev: string | null
  readonly total: number | null
  /** True when rows were left out because the room was full. */
  readonly isCut: boolean
  /** True when the page was read towards the start. Then its last row is the one nearest to the cursor. */
  readonly backwards: boolean
  /**
   * Returns the page with only `count` rows, counted from the cursor. The neighbouring page
   * continues with the others.
   */
  readonly cutTo: (count: number) => Page<Row>
}

/**
 * Builds a page by keyset. `placed` must be in the order of the sort, also when the page was read backwards.
 * @param encode makes the cursor of a row
 */
export function keysetPage<Row>(
  placed: readonly PlacedRow<Row>[],
  encode: (placed: PlacedRow<Row>) => string,
  about: Pick<Page<Row>, 'backwards' | 'isCut' | 'total'> & Record<'hasNext' | 'hasPrev', boolean>,
): Page<Row> {
  const { backwards, isCut, total, hasNext, hasPrev } = about
  const cursorAt = (index: number): string | undefined => {
    const one = placed.at(index)
    return one === undefined ? undefined : encode(one)
  }
  return {
    rows: placed.map(({ row }) => row),
    cursorAt,
    next: hasNext ? (cursorAt(-1) ?? null) : null,
    prev: hasPrev ? (cursorAt(0) ?? null) : null,
    total,
    isCut,
    backwards,
    cutTo: (count) =>
      keysetPage(backwards ? placed.slice(-count) : placed.slice(0, count), encode, {
        ...about,
        isCut: true,
        hasNext: hasNext || !backwards,
        hasPrev: hasPrev || backwards,
      }),
  }
}

/** Builds a page by offset. It has no cursors; its neighbours are offsets. */
export function offsetPage<Row>(
  rows: readonly Row[],
  offset: number,
  limit: number,
  { isMore, isCut, total }: { isMore: boolean; isCut: boolean; total: number | null },
): Page<Row> {
  return {
    rows,
    cursorAt: () => undefined,
    next: isMore ? String(offset + rows.length) : null,
    prev: offset > 0 ? String(Math.max(0, offset - limit)) : null,
    total,
    isCut,
    backwards: false,
    cutTo: (count) => offsetPage(rows.slice(0, count), offset, limit, { isMore: true, isCut: true, total }),
  }
}

/** The empty page beyond a cursor whose following rows were removed. */
export const noPage = <Row>(back: string | null, backwards: boolean, total: number | null): Page<Row> => ({
  ...keysetPage<Row>([], () => '', { backwards, isCut: false, total, hasNext: false, hasPrev: false }),
  ...(backwards ? { next: back } : { prev: back }),
})
