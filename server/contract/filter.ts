// Compiles a client's filter to one SQL condition. A filter is a tree of fields, operators,
// relationships, and, or, not.
import { sql } from 'kysely'
import { QUERY_CEILINGS } from '../kernel/ceilings.ts'
import { type Problem, Refusal, refuse } from '../kernel/refusal.ts'
import { and, or, type Sql } from '../store/statement.ts'
import type { Related } from './load_related.ts'
import type { Resource } from './resource.ts'
import { filterableField, filterNames, type Queried } from './resource_fields.ts'
import { OPERATORS, type OperatorName, operatorNamed, type StoredForm } from './stored_form.ts'

const GROUPS: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/** Leaves are client values: text from a query string, or JSON scalars and lists of them from GraphQL. */
export type FilterTree = { readonly [name: string]: FilterTree | FilterLeaf | readonly FilterTree[] }
type FilterLeaf = string | number | boolean | null | readonly (string | number | boolean)[]

const isTree = (value: unknown): value is FilterTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export interface Conjunct {
  readonly field: string
  readonly stored: StoredForm
  readonly operator: OperatorName
  /** As the client wrote them. `compileFilter` has checked them. */
  readonly values: readonly unknown[]
}

/** A part of a filter as SQL, and the conditions in it that must all hold. Lists look for an index among them. */
interface Compiled {
  readonly where: Sql
  readonly conjuncts: readonly Conjunct[]
  /** True when the part has no other conditions. */
  readonly isWhole: boolean
}

/** A filter as lists need it. */
export interface ListFilter extends Compiled {
  /**
   * True when the filter is empty or asks one field for one value. Every filterable field has an index that serves
   * this, ordered by id. For other filters no index is certain.
   */
  readonly isLookup: boolean
}

interface Compilation<Context> {
  readonly context: Context
  readonly related: Related<Context>
  /** Counts the aliases used so far, so that each nested table gets a new one. */
  aliases: number
  conditions: number
}

/** The current position in the filter: the resource whose fields the names refer to, and the alias of its table. */
interface Scope<Context> {
  readonly compilation: Compilation<Context>
  readonly resource: Resource<object, Context>
  readonly alias: string
}

/**
 * Related rows count only when the caller may see them.
 * @throws invalid_filter with the place in the tree: `filter[state][like]`
 */
export function compileFilter<Context>(
  resource: Resource<object, Context>,
  { context, related }: { readonly context: Context; readonly related: Related<Context> },
  tree: FilterTree,
): ListFilter {
  const compilation = { context, related, aliases: 0, conditions: 0 }
  const compiled = compileTree({ compilation, resource, alias: 'r' }, tree, ['filter'])
  return { ...compiled, isLookup: isLookup(resource, tree) }
}

/** See `ListFilter`. */
function isLookup(resource: Queried, tree: FilterTree): boolean {
  const [only, ...others] = Object.entries(tree)
  if (only === undefined || others.length > 0) return only === undefined
  const [name, value] = only
  if (GROUPS.has(name) || filterableField(resource, name) === undefined) return false
  if (!isTree(value)) return !Array.isArray(value)
  const [operator, ...more] = Object.keys(value)
  return (operator === 'eq' || operator === 'has') && more.length === 0
}

function compileTree<Context>(scope: Scope<Context>, tree: FilterTree, path: readonly string[]): Compiled {
  const { compilation, resource, alias } = scope
  if (path.length > QUERY_CEILINGS.filter_depth)
    throw wrong(path, 'is nested too deeply', { maximum: QUERY_CEILINGS.filter_depth })
  return together(
    Object.entries(tree).map(([name, value]) => {
      const here = [...path, name]
      if (GROUPS.has(name)) return compileGroup(scope, name, value, here)
      const relationship = Object.hasOwn(resource.relationships, name)
        ? resource.relationships[name]
        : undefined
      if (relationship !== undefined) {
        if (!isTree(value)) throw wrong(here, 'takes fields of the related resource')
        const target = compilation.related(relationship.target)
        compilation.aliases += 1
        countCondition(compilation, here)
        const inner = `r${compilation.aliases}`
        const within = { compilation, resource: target, alias: inner }
        return other(sql`EXISTS (SELECT 1 FROM ${sql.table(target.table)} AS ${sql.ref(inner)}
          WHERE ${relationship.on(alias, inner)} AND ${target.visible(compilation.context, inner)}
            AND ${compileTree(within, value, here).where})`)
      }
      return compileField(scope, name, value, here)
    }),
  )
}

function compileGroup<Context>(
  scope: Scope<Context>,
  name: string,
  value: FilterTree[string],
  path: readonly string[],
): Compiled {
  const single = name === 'not' && isTree(value) && !Object.keys(value).every((key) => /^\d+$/.test(key))
  // A list written as a tree (`[0]=…`) keeps its members' names, so that errors name the place the client wrote.
  const members: [string, unknown][] =
    single || typeof value !== 'object' || value === null ? [['', value]] : Object.entries(value)
  const compiled = members.map(([index, member]) => {
    if (!isTree(member)) throw wrong(path, 'takes a list of filters')
    return compileTree(scope, member, single ? path : [...path, index])
  })
  if (name === 'and') return together(compiled)
  const conditions = compiled.map(({ where }) => where)
  return other(name === 'or' ? or(conditions) : sql`NOT coalesce(${and(conditions)}, false)`)
}

function compileField<Context>(
  { compilation, resource, alias }: Scope<Context>,
  name: string,
  value: FilterTree[string],
  path: readonly string[],
): Compiled {
  const field = filterableField(resource, name)
  if (field === undefined) throw wrong(path, ...insteadOf('a filterable field', filterNames(resource)))
  const { stored } = field
  const operand = { column: sql.raw(`${alias}.${name}`), stored }
  const given = isTree(value) ? Object.entries(value) : [['eq', value] as const]
  return together(
    given.map(([operatorName, operandValue]) => {
      const here = isTree(value) ? [...path, operatorName] : path
      countCondition(compilation, here)
      const operator = operatorNamed(operatorName)
      if (operator === undefined || !stored.operators.includes(operator))
        throw wrong(here, ...insteadOf('an operator of this field', stored.operators))
      const operands = isTree(operandValue) ? Object.values(operandValue) : operandValue
      const values = operator === 'in' && Array.isArray(operands) ? operands : [operands]
      try {
        const where = OPERATORS[operator](operand, operands)
        return { where, conjuncts: [{ field: name, stored, operator, values }], isWhole: true }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const [first] = error.problems
        throw wrong(here, first?.detail ?? 'is not valid', first?.meta)
      }
    }),
  )
}

function countCondition(compilation: { conditions: number }, path: readonly string[]): void {
  compilation.conditions += 1
  const maximum = QUERY_CEILINGS.filter_conditions
  if (compilation.conditions > maximum)
    throw wrong(path, `a filter has at most ${maximum} conditions`, { maximum })
}

const insteadOf = (what: string, valid: readonly string[]) =>
  [`is not ${what}; there are ${valid.join(', ')}`, { valid }] as const

const wrong = ([first = '', ...rest]: readonly string[], detail: string, meta?: Problem['meta']): Refusal => {
  const parameter = `${first}${rest.map((name) => `[${name}]`).join('')}`
  return refuse('invalid_filter', { parameter, detail, meta })
}

const together = (parts: readonly Compiled[]): Compiled => ({
  where: and(parts.map(({ where }) => where)),
  conjuncts: parts.flatMap(({ conjuncts }) => conjuncts),
  isWhole: parts.every(({ isWhole }) => isWhole),
})

/** Of `or`, `not` and relationships. */
const other = (where: Sql): Compiled => ({ where, conjuncts: [], isWhole: false })
