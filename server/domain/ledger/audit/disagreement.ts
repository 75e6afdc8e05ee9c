// One thing in the ledger that is not what everything else says it must be.

/** Where it stands. */
export interface Place {
  /** Height of the block it belongs to; null for what waits for a block, or names a block that does not exist. */
  readonly height: number | null
  /** Id of the item, tombstone or observation; key id of a key; `tile <level>/<tile>` of a tile. */
  readonly subject?: string
}

export interface Disagreement extends Place {
  /** The column, or what is missing or too much. */
  readonly field: string
  /** Never claims, nor anything made from their text: a report may be logged. */
  readonly expected?: string
  readonly found?: string
}

export type Disagreements = Generator<Disagreement, void, undefined>

type Comparable = Uint8Array | string | number | null | undefined

/** Yields nothing when the two are the same. Bytes are shown as hex. */
export function* agree(place: Place, field: string, expected: Comparable, found: Comparable): Disagreements {
  const wanted = shown(expected)
  const had = shown(found)
  if (wanted !== had) yield { ...place, field, expected: wanted, found: had }
}

/** The same for a statement that is true or not; what was found stays untold. */
export function* holds(place: Place, field: string, statement: boolean, expected?: string): Disagreements {
  if (!statement) yield { ...place, field, ...(expected === undefined ? {} : { expected }) }
}

/** `block 12, item 01MB…: item_hash should be …, is …` */
export function describeDisagreement({ height, subject, field, expected, found }: Disagreement): string {
  const where = [
    height === null ? 'no block' : `block ${height}`,
    ...(subject === undefined ? [] : [subject]),
  ].join(', ')
  const wanted = expected === undefined ? 'is wrong' : `should be ${expected}`
  return `${where}: ${field} ${wanted}${found === undefined ? '' : `, is ${found}`}`
}

function shown(value: Comparable): string {
  if (value === null || value === undefined) return 'null'
  return typeof value === 'object' ? Buffer.from(value).toString('hex') : String(value)
}
