// A stored time as unix milliseconds with everything the database keeps of it.

/** Unrounded, unlike `unix_ms`: half a millisecond too much is found. A double holds microseconds until 2255. */
export const exactMs = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`
