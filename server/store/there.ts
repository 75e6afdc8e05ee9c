// For answers that contain rows of several kinds, each with its own columns.

/** Returns a column that every row of this kind has. @throws an Error when it is missing, which is a fault of ours */
export function there<T>(value: T | null): T {
  if (value === null) throw new Error('A column that every row of its kind has is null.')
  return value
}
