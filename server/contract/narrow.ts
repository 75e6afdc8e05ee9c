// What the conditions of a filter say about where its rows are: ranges of indexes, and bounds of their ids.
import { sql } from 'kysely'
import type { KeysetValue } from '../kernel/keyset.ts'
import { and } from '../store/conditions.ts'
import type { Sql } from '../store/statement.ts'
import type { Conjunct } from './conjuncts.ts'
import { OPERATORS } from './operators.ts'
import type { Finds, FoundRanges, Range } from './range.ts'
import type { Resource } from './resource.ts'
import { columnOf, queryFields } from './resource_fields.ts'
import type { OperatorName } from './stored_form.ts'

export interface CoveredRanges extends FoundRanges {
  /** The conditions that the rows of the ranges meet. */
  readonly covers: readonly Conjunct[]
}

interface Bound {
  readonly condition: (id: Sql) => Sql
  readonly covers: readonly Conjunct[]
}

export async function narrow<Row extends object, Context>(
  resource: Resource<Row, Context>,
  context: Context,
  own: Range,
  conjuncts: readonly Conjunct[],
): Promise<{ readonly bounds: readonly Bound[]; readonly places: readonly CoveredRanges[] }> {
  const bounds: Bound[] = []
  const places: CoveredRanges[] = []
  for (const [field, some] of Map.groupBy(conjuncts, (one) => one.field)) {
    if (field === 'id' || resource.finds?.ids[field] !== undefined) {
      bounds.push(...some.flatMap((one) => boundOf(resource, one)))
      continue
    }
    const place =
      resource.finds === undefined
        ? ownPlace(resource, own, some)
        : await foundPlace(resource.finds, context, some)
    if (place !== undefined) places.push(place)
  }
  return { bounds, places }
}

function boundOf<Row extends object, Context>({ finds }: Resource<Row, Context>, one: Conjunct): Bound[] {
  const { field, operator, stored, values } = one
  if (field === 'id') {
    if (!INDEXED.has(operator)) return []
    const given = operator === 'in' ? values : values[0]
    return [{ condition: (column) => OPERATORS[operator]({ column, stored }, given), covers: [one] }]
  }
  const bound = operator === 'in' ? undefined : finds?.ids[field]?.(operator, stored.bind(values[0]))
  return bound === undefined ? [] : [{ condition: bound.condition, covers: bound.isExact ? [one] : [] }]
}

/** Index: one over the columns of `own`, the field's column and the id. */
function ownPlace<Row extends object, Context>(
  resource: Resource<Row, Context>,
  own: Range,
  conjuncts: readonly Conjunct[],
): CoveredRanges | undefined {
  const covers = conjuncts.filter(({ operator }) => INDEXED.has(operator))
  const [first, ...others] = covers
  if (first === undefined) return undefined
  const { field: name, operator, stored, values } = first
  const field = queryFields(resource)[name]
  if (field === undefined) return undefined
  if (others.length === 0 && (operator === 'eq' || operator === 'in')) {
    const lead = { column: field.column ?? name, stored, values: texts(values) }
    return { ranges: [{ ...own, lead }], isOrdered: values.length === 1, isExact: true, covers }
  }
  const column = sql.raw(columnOf(field, name, 'r'))
  const conditions = covers.map((one) =>
    OPERATORS[one.operator]({ column, stored }, one.operator === 'in' ? one.values : one.values[0]),
  )
  return {
    ranges: [{ ...own, where: and([own.where, ...conditions]) }],
    isOrdered: false,
    isExact: true,
    covers,
  }
}

async function foundPlace<Context>(
  { by }: Finds<Context>,
  context: Context,
  conjuncts: readonly Conjunct[],
): Promise<CoveredRanges | undefined> {
  const one = conjuncts.find(({ operator }) => FOUND.has(operator))
  if (one === undefined) return undefined
  const { field, stored, values } = one
  const wanted = { stored, values: texts(values), bound: values.map((value) => stored.bind(value)) }
  const found = await by[field]?.(wanted, context)
  return found === undefined ? undefined : { ...found, covers: [one] }
}

/** Operators for which an index over the column is a range. */
const INDEXED: ReadonlySet<OperatorName> = new Set([
  'eq',
  'in',
  'less_than',
  'greater_than',
  'less_than_or_equal',
  'greater_than_or_equal',
])

const FOUND: ReadonlySet<OperatorName> = new Set(['eq', 'in', 'has'])

const texts = (values: readonly unknown[]): KeysetValue[] =>
  values.map((value) => (typeof value === 'boolean' || typeof value === 'number' ? value : String(value)))
