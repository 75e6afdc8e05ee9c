// A disagreement: one stored value that differs from the value computed from the rest of the ledger, or stored JSON
// text that is not canonical, because canonical text is hashed.
import { readOrUndefined, toHex } from '../proof/bytes.ts'
import { canonicalJson, type JsonValue } from '../proof/json_value.ts'
import { readStrictJson } from '../proof/strict_json.ts'

/** Returns undefined when the text is not JSON or is not in canonical spelling. */
export function readCanonical(text: string): JsonValue | undefined {
  const value = readOrUndefined(() => readStrictJson(text))
  return value !== undefined && canonicalJson(value) === text ? value : undefined
}

/** Where the value is stored. */
export interface StoredPlace {
  /** Height of the value's block. Null when the row waits for a block or names a block that does not exist. */
  readonly height: number | null
  /** Id of the item, tombstone or observation, key id of a key, or `tile <level>/<tile>` of a tile. */
  readonly subject?: string
}

export interface Disagreement extends StoredPlace {
  /** The column, or the name of what is missing or extra. */
  readonly field: string
  /** Never contains claims or a value derived from their text, because reports may be logged. */
  readonly expected?: string
  readonly found?: string
}

export type Disagreements = Generator<Disagreement, void, undefined>

type Comparable = Uint8Array | string | number | null | undefined

/** Yields a disagreement when the two values differ. Bytes are shown as hex. */
export function* agree(
  place: StoredPlace,
  field: string,
  expected: Comparable,
  found: Comparable,
): Disagreements {
  const wanted = shown(expected)
  const had = shown(found)
  if (wanted !== had) yield { ...place, field, expected: wanted, found: had }
}

/** Yields a disagreement when the statement is false. The found value is not shown. */
export function* holds(
  place: StoredPlace,
  field: string,
  statement: boolean,
  expected?: string,
): Disagreements {
  if (!statement) yield { ...place, field, ...(expected === undefined ? {} : { expected }) }
}

/** What an audit finds first, at most `limit` of it: later disagreements may be consequences of the first. */
export async function firstOf(found: AsyncIterable<Disagreement>, limit: number): Promise<Disagreement[]> {
  const first: Disagreement[] = []
  for await (const disagreement of found) {
    first.push(disagreement)
    if (first.length >= limit) break
  }
  return first
}

/** Example: `block 12, item 01MB…: item_hash should be …, is …` */
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
  return typeof value === 'object' ? toHex(value) : String(value)
}
