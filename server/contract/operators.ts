// The filter operators, one row each with its SQL. A kind declares which operators it supports.
import { sql } from 'kysely'
import { hasAtMost } from '../../shared/proof/code_points.ts'
import { refuse } from '../kernel/refusal.ts'
import type { Sql } from '../store/statement.ts'
import { QUERY_CEILINGS } from './query_ceilings.ts'
import type { OperatorName, StoredForm } from './stored_form.ts'

/** The column that is compared, and how its kind binds the client's value. */
interface Operand {
  readonly column: Sql
  readonly stored: StoredForm
}

type Build = (operand: Operand, value: unknown) => Sql

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
      throw refuse('invalid_filter', {
        detail: `takes at most ${QUERY_CEILINGS.in_values} values`,
        meta: { maximum: QUERY_CEILINGS.in_values },
      })
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
    throw refuse('invalid_filter', {
      detail: `has at most ${longest} characters`,
      meta: { maximum: longest },
    })
}
