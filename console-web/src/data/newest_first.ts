// Lists whose rows descend by id. Ids ascend with time, so their newest row comes first.

type Row = { readonly id: string }

/** For `sort`. */
export const newestFirst = (a: Row, b: Row): number => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** How many rows stand above the given one, such as those that a pause holds back. All of them when none is as old. */
export const newerThan = (rows: readonly Row[], id: string): number => {
  const index = rows.findIndex((row) => row.id <= id)
  return index === -1 ? rows.length : index
}
