// How a kind's values are stored: how they are bound as parameters, shown as text, and compared.
import { sql } from 'kysely'
import { hasAtMost } from '../../shared/proof/code_points.ts'
import { instantMs } from '../../shared/proof/instant.ts'
import { QUERY_CEILINGS } from '../kernel/ceilings.ts'
import { noMoreThan, refuse } from '../kernel/refusal.ts'
import type { Sql } from '../store/statement.ts'

const EQUALITY = ['eq', 'not_eq', 'in', 'is_nil'] as const
export const ORDER = ['less_than', 'greater_than', 'less_than_or_equal', 'greater_than_or_equal'] as const
const TEXT = ['contains', 'string_starts_with'] as const

/** The comparison operators. `OPERATORS` has the SQL of each. */
export type OperatorName = (typeof EQUALITY | typeof ORDER | typeof TEXT)[number] | 'has'

export interface StoredForm {
  /** The SQL type that parameters are cast to. */
  readonly type: 'text' | 'bytea' | 'timestamptz' | 'boolean' | 'bigint'
  /** Describes valid values in a refusal, e.g. "an ISO 8601 time". */
  readonly meaning: string
  /** The most code points of a text that it can be compared with. No row contains a longer one. */
  readonly longest: number
  /**
   * Converts a client's value (text or a JSON scalar) to a bind parameter. Returns undefined
   * when the value is not valid.
   */
  readonly bind: (value: unknown) => unknown
  /** The column as text that `bind` can read. */
  readonly asText: (column: Sql) => Sql
  readonly operators: readonly OperatorName[]
}

/** For a time, a number or a word from a closed set. */
const LONGEST_SCALAR = 64

const plain =
  (longest: number) =>
  (value: unknown): string | undefined =>
    typeof value === 'string' && hasAtMost(value, longest) && !value.includes('\0') ? value : undefined

/** A text in byte order, unless `parts` say otherwise. */
const stored = (parts: Pick<StoredForm, 'meaning' | 'longest' | 'bind'> & Partial<StoredForm>): StoredForm =>
  Object.freeze({
    type: 'text',
    asText: (column: Sql): Sql => column,
    operators: [...EQUALITY, ...ORDER, ...TEXT],
    ...parts,
  })

/** Plain text of at most `longest` code points, in byte order. */
export const storedText = (longest: number): StoredForm =>
  stored({ meaning: 'text', longest, bind: plain(longest) })

/**
 * Ids in byte order, accepted in either case. A value that is not an id is refused, because it could match no row.
 */
export const storedId = (
  meaning: string,
  normalize: (text: string) => string | undefined,
  longest: number,
): StoredForm =>
  stored({
    meaning,
    longest,
    bind: (value) => (typeof value === 'string' ? normalize(value) : undefined),
  })

/** Bytes that are published as hex of a fixed length. Either case is accepted. */
export const storedHex = (bytes: number): StoredForm =>
  stored({
    type: 'bytea',
    meaning: `${bytes * 2} hex characters`,
    longest: bytes * 2,
    bind: (value) =>
      typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-fA-F]*$/.test(value)
        ? Buffer.from(value, 'hex')
        : undefined,
    asText: (column) => sql`encode(${column}, ${sql.raw("'hex'")})`,
  })

/**
 * Returns milliseconds for the years 1 to 9999 in UTC, otherwise undefined. PostgreSQL reads
 * only these years as ISO 8601.
 */
export function storableMs(text: string): number | undefined {
  const ms = instantMs(text)
  return ms !== undefined && ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

export const storedInstant = stored({
  type: 'timestamptz',
  meaning: 'an ISO 8601 time with an offset',
  longest: LONGEST_SCALAR,
  bind: (value) => {
    const ms = typeof value === 'string' ? storableMs(value) : undefined
    return ms === undefined ? undefined : new Date(ms).toISOString()
  },
  asText: (column) => sql`iso_time(${column})`,
  operators: [...EQUALITY, ...ORDER],
})

export const storedInteger = stored({
  type: 'bigint',
  meaning: 'an integer',
  longest: LONGEST_SCALAR,
  bind: (value) => {
    const text = typeof value === 'number' ? String(value) : value
    return typeof text === 'string' && /^-?\d{1,18}$/.test(text) ? text : undefined
  },
  asText: (column) => sql`${column}::text`,
  operators: [...EQUALITY, ...ORDER],
})

export const storedBoolean = stored({
  type: 'boolean',
  meaning: 'true or false',
  longest: LONGEST_SCALAR,
  bind: (value) =>
    value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined,
  asText: (column) => sql`${column}::text`,
  operators: [...EQUALITY],
})

/**
 * A closed set. A word outside it is refused, not answered with an empty list. GraphQL's upper-case
 * spelling is accepted too.
 */
export const storedWord = (words: readonly string[]): StoredForm =>
  stored({
    meaning: `one of ${words.join(', ')}`,
    longest: LONGEST_SCALAR,
    bind: (value) =>
      typeof value === 'string' && words.includes(value.toLowerCase()) ? value.toLowerCase() : undefined,
    operators: [...EQUALITY, ...ORDER],
  })

/** @param longest code points of the longest member */
export const storedTextList = (longest: number): StoredForm =>
  stored({ meaning: 'text', longest, bind: plain(longest), operators: ['has', 'is_nil'] })

/** @param operand the column that is compared, and how its kind binds the client's value */
type Build = (operand: { readonly column: Sql; readonly stored: StoredForm }, value: unknown) => Sql

const compare =
  (operator: string): Build =>
  ({ column, stored }, value) =>
    sql`${column} ${sql.raw(operator)} ${bound(stored, value)}`

export const OPERATORS = {
  eq: compare('='),
  not_eq: ({ column, stored }, value) => sql`${column} IS DISTINCT FROM ${bound(stored, value)}`,
  in: ({ column, stored }, value) => {
    const values = Array.isArray(value) ? value : [value]
    if (values.length > QUERY_CEILINGS.in_values)
      throw refuse('invalid_filter', noMoreThan('takes', QUERY_CEILINGS.in_values, 'values'))
    return sql`${column} = ANY(${values.map((one) => read(stored, one))}${sql.raw(`::${stored.type}[]`)})`
  },
  is_nil: ({ column }, value) => {
    if (value !== 'true' && value !== 'false' && typeof value !== 'boolean')
      throw refuse('invalid_filter', { detail: 'takes true or false' })
    return sql`${column} IS ${sql.raw(String(value) === 'true' ? 'NULL' : 'NOT NULL')}`
  },
  less_than: compare('<'),
  greater_than: compare('>'),
  less_than_or_equal: compare('<='),
  greater_than_or_equal: compare('>='),
  contains: ({ column, stored }, value) =>
    sql`position(${text(stored, value)} IN ${stored.asText(column)}) > 0`,
  string_starts_with: ({ column, stored }, value) =>
    sql`starts_with(${stored.asText(column)}, ${text(stored, value)})`,
  has: ({ column, stored }, value) => sql`${column} @> ARRAY[${read(stored, value)}]::text[]`,
} as const satisfies Record<OperatorName, Build>

const ALIASES: Readonly<Record<string, OperatorName>> = {
  lt: 'less_than',
  gt: 'greater_than',
  lte: 'less_than_or_equal',
  gte: 'greater_than_or_equal',
}

/** Finds an operator by its name or its alias. */
export const operatorNamed = (name: string): OperatorName | undefined =>
  isOperator(name) ? name : Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined

const isOperator = (name: string): name is OperatorName => Object.hasOwn(OPERATORS, name)

const bound = (stored: StoredForm, value: unknown): Sql =>
  sql`${read(stored, value)}${sql.raw(`::${stored.type}`)}`

function read(stored: StoredForm, value: unknown): unknown {
  checkLength(stored, value)
  const parameter = stored.bind(value)
  if (parameter === undefined) throw refuse('invalid_filter', { detail: `takes ${stored.meaning}` })
  return parameter
}

function text(stored: StoredForm, value: unknown): string {
  checkLength(stored, value)
  if (typeof value !== 'string' || value.includes('\0'))
    throw refuse('invalid_filter', { detail: 'takes a string' })
  return value
}

/** Checks the length first, so that a long text costs no further work. */
function checkLength({ longest }: StoredForm, value: unknown): void {
  if (typeof value === 'string' && !hasAtMost(value, longest))
    throw refuse('invalid_filter', noMoreThan('has', longest, 'characters'))
}
