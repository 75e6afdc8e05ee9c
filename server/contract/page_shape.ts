// A page that was read: its rows, the cursors of its neighbours, and what is left of it when an answer holds fewer.
import type { KeysetValue } from '../kernel/keyset.ts'
import type { Placed } from './read_phase.ts'

export type Encode = (keyset: readonly KeysetValue[]) => string

export interface Page<Row> {
  readonly rows: readonly Row[]
  /** The cursor of the row at an index; undefined where there is none. Made on demand: each is a MAC. */
  readonly cursorAt: (index: number) => string | undefined
  /** Cursors (or offsets, in an offset page) of the neighbouring pages, null where there is none. */
  readonly next: string | null
  readonly prev: string | null
  readonly total: number | null
  /** True when rows were left out for lack of room. */
  readonly isCut: boolean
  /** True when it was read towards the start: its last row is the one nearest to where it was read from. */
  readonly backwards: boolean
  /** The page with so many of its rows, from where it was read from; the rest is found at its neighbour. */
  readonly cutTo: (count: number) => Page<Row>
}

export interface KeysetPageParts {
  readonly backwards: boolean
  readonly isCut: boolean
  readonly total: number | null
  readonly hasNext: boolean
  readonly hasPrev: boolean
}

export function keysetPage<Row>(
  placed: readonly Placed<Row>[],
  encode: Encode,
  { backwards, isCut, total, hasNext, hasPrev }: KeysetPageParts,
): Page<Row> {
  const cursorAt = (index: number): string | undefined => {
    const one = placed.at(index)
    return one === undefined ? undefined : encode(one.keyset)
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
        backwards,
        isCut: true,
        total,
        hasNext: hasNext || !backwards,
        hasPrev: hasPrev || backwards,
      }),
  }
}

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

/** Beyond a cursor whose rows have gone. */
export const noPage = <Row>(back: string | null, backwards: boolean, total: number | null): Page<Row> => {
  const page: Page<Row> = {
    rows: [],
    cursorAt: () => undefined,
    next: backwards ? back : null,
    prev: backwards ? null : back,
    total,
    isCut: false,
    backwards,
    cutTo: () => page,
  }
  return page
}
