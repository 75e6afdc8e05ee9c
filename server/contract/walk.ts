// Chooses what a list walks: ranges of indexes that contain its rows, and the condition that still judges each row.
import { sql } from 'kysely'
import { float8 } from '../store/columns.ts'
import { ALWAYS, and, type Sql, statement } from '../store/statement.ts'
import type { Query } from './expensive_reads.ts'
import type { Conjunct, ListFilter } from './filter.ts'
import type { KeysetValue, SortKey } from './keyset.ts'
import { type Finds, type FoundRanges, idsOf, type Range } from './range.ts'
import type { Resource } from './resource.ts'
import { OPERATORS, type OperatorName, ORDER } from './stored_form.ts'

export interface Walk {
  /** Together they contain every row of the list, each once. */
  readonly ranges: readonly Range[]
  /** True when the only range is one of the resource's own table. Its rows are then read without a join. */
  readonly isOwn: boolean
  /** True when the ranges have few rows. They are then read at once and sorted. */
  readonly isGathered: boolean
  /** The condition of the list that the caller may read, without the filter. */
  readonly listed: Sql
  /** Judges each row. Undefined when the ranges contain no rows that the list does not have. */
  readonly judged: Sql | undefined
}

/** Rows that are read at once and sorted, because some condition of the filter has no more. */
const GATHERED = 5_000

/** Conditions of a filter whose rows are counted, to find one that has few. */
const COUNTED = 8

/**
 * @param query counts the rows of conditions. Absent for a lookup and where there is no filter: nothing is to be chosen
 */
export async function chooseWalk<Context>(
  resource: Resource<object, Context>,
  context: Context,
  { filter, sort }: { readonly filter: ListFilter; readonly sort: readonly SortKey[] },
  query?: Query,
): Promise<Walk> {
  const listed = and([resource.visible(context, 'r'), await resource.listed(context)])
  const all = filter.where === ALWAYS ? listed : and([listed, filter.where])
  const own: Range = {
    table: resource.table,
    id: 'id',
    where: resource.finds === undefined ? listed : await resource.listed(context),
  }
  if (resource.isFew) return { ranges: [own], isOwn: false, isGathered: true, listed, judged: all }
  const { bounds, places } = await narrow(resource, context, own, filter.conjuncts)
  const walk = (place: CoveredRanges, more: Partial<Walk> = {}): Walk => {
    const known: ReadonlySet<Conjunct> = new Set([...bounds, place].flatMap(({ covers }) => covers))
    const isExact = place.isExact && filter.isWhole && filter.conjuncts.every((one) => known.has(one))
    return {
      ranges: place.ranges.map((range) => bounded(range, bounds)),
      isOwn: place.ranges.length === 1 && place.ranges[0]?.table === resource.table,
      isGathered: false,
      listed,
      judged: isExact ? undefined : all,
      ...more,
    }
  }
  const few = query === undefined ? undefined : await fewest(query, places)
  if (few !== undefined) return walk(few, { isGathered: true, isOwn: false, judged: all })
  if (sort.length === 1) {
    const ordered = places.find(({ isOrdered }) => isOrdered)
    if (ordered !== undefined) return walk(ordered)
    if (resource.finds !== undefined) return walk({ ...(await resource.finds.all(context)), covers: [] })
  }
  return walk(alongSort(own, sort[0], filter.conjuncts, resource.finds === undefined))
}

/** The resource's own table, with the conditions about the column that leads the sort. */
function alongSort(
  own: Range,
  first: SortKey | undefined,
  conjuncts: readonly Conjunct[],
  isExact: boolean,
): CoveredRanges {
  const covers = conjuncts.filter(
    ({ field, operator }) => field === first?.name && operator !== 'in' && INDEXED.has(operator),
  )
  return { ranges: [heldTo(own, covers, first?.column ?? 'r.id')], isOrdered: true, isExact, covers }
}

/** The part of a range for which conditions about one column hold. */
const heldTo = (range: Range, conjuncts: readonly Conjunct[], column: string): Range => ({
  ...range,
  where: and([range.where, ...conjuncts.map((one) => holdsFor(one, sql.raw(column)))]),
})

const holdsFor = ({ operator, stored, values }: Conjunct, column: Sql): Sql =>
  OPERATORS[operator]({ column, stored }, operator === 'in' ? values : values[0])

const bounded = (range: Range, bounds: readonly { readonly condition: (id: Sql) => Sql }[]): Range => ({
  ...range,
  where: and([range.where, ...bounds.map(({ condition }) => condition(sql.ref(`r.${range.id}`)))]),
})

/** Returns the place with the fewest rows, when those are few. */
async function fewest(query: Query, places: readonly CoveredRanges[]): Promise<CoveredRanges | undefined> {
  let best: { readonly place: CoveredRanges; readonly count: number } | undefined
  for (const place of places.slice(0, COUNTED)) {
    const [counted] = await query(
      statement(
        { count: float8 },
        sql`SELECT count(*)::float8 AS count FROM (${idsOf(place.ranges)} LIMIT ${sql.lit(GATHERED + 1)}) AS found`,
      ),
    )
    const count = counted?.count ?? 0
    if (count <= GATHERED && count < (best?.count ?? Number.POSITIVE_INFINITY)) best = { place, count }
  }
  return best?.place
}

interface CoveredRanges extends FoundRanges {
  /** The conditions that the rows of the ranges meet. */
  readonly covers: readonly Conjunct[]
}

interface Bound {
  readonly condition: (id: Sql) => Sql
  readonly covers: readonly Conjunct[]
}

/** What the conditions of a filter say about where its rows are: ranges of indexes, and bounds of their ids. */
async function narrow<Context>(
  resource: Resource<object, Context>,
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
      resource.finds === undefined ? ownPlace(own, some) : await foundPlace(resource.finds, context, some)
    if (place !== undefined) places.push(place)
  }
  return { bounds, places }
}

function boundOf<Context>({ finds }: Resource<object, Context>, one: Conjunct): Bound[] {
  const { field, operator, stored, values } = one
  if (field === 'id') {
    if (!INDEXED.has(operator)) return []
    return [{ condition: (column) => holdsFor(one, column), covers: [one] }]
  }
  const bound = operator === 'in' ? undefined : finds?.ids[field]?.(operator, stored.bind(values[0]))
  return bound === undefined ? [] : [{ condition: bound, covers: [] }]
}

/** Index: one over the columns of `own`, the field's column and the id. */
function ownPlace(own: Range, conjuncts: readonly Conjunct[]): CoveredRanges | undefined {
  const covers = conjuncts.filter(({ operator }) => INDEXED.has(operator))
  const [first, ...others] = covers
  if (first === undefined) return undefined
  const { field, operator, stored, values } = first
  if (others.length === 0 && (operator === 'eq' || operator === 'in')) {
    const lead = { column: field, stored, values: texts(values) }
    return { ranges: [{ ...own, lead }], isOrdered: values.length === 1, isExact: true, covers }
  }
  return { ranges: [heldTo(own, covers, `r.${field}`)], isOrdered: false, isExact: true, covers }
}

async function foundPlace<Context>({ by }: Finds<Context>, context: Context, conjuncts: readonly Conjunct[]) {
  const one = conjuncts.find(({ operator }) => FOUND.has(operator))
  if (one === undefined) return undefined
  const { field, stored, values } = one
  const wanted = { stored, values: texts(values), bound: values.map((value) => stored.bind(value)) }
  const found = await by[field]?.(wanted, context)
  return found === undefined ? undefined : { ...found, covers: [one] }
}

/** Operators for which an index over the column is a range. */
const INDEXED: ReadonlySet<OperatorName> = new Set<OperatorName>(['eq', 'in', ...ORDER])

const FOUND: ReadonlySet<OperatorName> = new Set(['eq', 'in', 'has'])

const texts = (values: readonly unknown[]): KeysetValue[] =>
  values.map((value) => (typeof value === 'boolean' || typeof value === 'number' ? value : String(value)))
