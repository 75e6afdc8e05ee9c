// Chooses what a list walks: ranges of indexes that contain its rows, and the condition that still judges each row.
import { sql } from 'kysely'
import { float8 } from '../store/columns.ts'
import { ALWAYS, and } from '../store/conditions.ts'
import { type Sql, statement } from '../store/statement.ts'
import type { Conjunct } from './conjuncts.ts'
import type { Query } from './expensive_reads.ts'
import type { ListFilter } from './filter.ts'
import type { SortKey } from './keyset.ts'
import { type CoveredRanges, narrow } from './narrow.ts'
import { OPERATORS } from './operators.ts'
import { idsOf, type Range } from './range.ts'
import type { Resource } from './resource.ts'

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
export async function chooseWalk<Row extends object, Context>(
  resource: Resource<Row, Context>,
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
  const covers = conjuncts.filter(({ field, operator }) => field === first?.name && ALONG_SORT.has(operator))
  const conditions = covers.map(({ operator, stored, values }) =>
    OPERATORS[operator](
      { column: sql.raw(first?.column ?? 'r.id'), stored },
      operator === 'in' ? values : values[0],
    ),
  )
  const range = { ...own, where: and([own.where, ...conditions]) }
  return { ranges: [range], isOrdered: true, isExact, covers }
}

const ALONG_SORT: ReadonlySet<string> = new Set([
  'eq',
  'less_than',
  'greater_than',
  'less_than_or_equal',
  'greater_than_or_equal',
])

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
