// Of rows of several kinds in one answer, each has its own columns.

/** A column that every row of this kind has. @throws an Error when it has not, which is a bug of ours */
export function there<T>(value: T | null): T {
  if (value === null) throw new Error('A column that every row of its kind has is null.')
  return value
}
