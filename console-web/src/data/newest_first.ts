// Lists whose rows descend by id. Ids ascend with time, so their newest row comes first.

export type Row = { readonly id: string }

const newestFirst = (a: Row, b: Row): number => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** Each row once, by its last report. */
export const eachOnce = <T extends Row>(reports: readonly T[]): readonly T[] =>
  [...new Map(reports.map((row) => [row.id, row])).values()].sort(newestFirst)

export type MergeRules<T extends Row> = {
  /** Whether the row belongs into the list. */
  readonly fits: (row: T) => boolean
  /** Of two reports about one row, whether the first is the later one. Without it they come in their order. */
  readonly isLater?: (a: T, b: T) => boolean
  /** New rows below this id are left out, because the server has rows in between that the list does not have. */
  readonly floor: string | null
  /** While the list is held, no row leaves it. */
  readonly held: boolean
}

/** The same rows when nothing changes. Of two reports about one row the later one counts, in whatever order they come. */
export const mergeRows = <T extends Row>(
  rows: readonly T[],
  reports: readonly T[],
  { fits, isLater, floor, held }: MergeRules<T>,
): readonly T[] => {
  const known = new Map(rows.map((row) => [row.id, row]))
  let isChanged = false
  for (const report of reports) {
    const before = known.get(report.id)
    if (before === undefined ? floor !== null && report.id < floor : isLater?.(report, before) === false)
      continue
    if (fits(report) || (held && before !== undefined)) known.set(report.id, report)
    else if (!known.delete(report.id)) continue
    isChanged = true
  }
  return isChanged ? [...known.values()].sort(newestFirst) : rows
}
