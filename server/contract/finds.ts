// How lists of a resource find their rows: by ranges of indexes, and by bounds of ids.
import type { KeysetValue } from '../kernel/keyset.ts'
import type { Sql } from '../store/statement.ts'
import type { Range } from './range.ts'
import type { OperatorName } from './stored_form.ts'

/** For a resource whose rows lists find elsewhere than by indexes of its own table, or that contains unreadable rows. */
export interface Finds<Context> {
  /** Every row of the list. */
  all(context: Context): Promise<Found>
  /** The rows with one of these values, as clients write them. Undefined when no index helps. */
  readonly by: Readonly<
    Record<string, (values: readonly KeysetValue[], context: Context) => Promise<Found | undefined>>
  >
  /** Bounds of the ids of rows for which a comparison holds. Undefined when there are none. */
  readonly ids: Readonly<Record<string, BoundOf>>
  /** A field with the same order as the id, of which it is a part. */
  readonly sameOrderAsId?: string
}

export type BoundOf = (
  operator: OperatorName,
  value: unknown,
) => { readonly condition: (id: Sql) => Sql; readonly isExact: boolean } | undefined

/** Ranges that together contain every row with some property, each once. */
export interface Found {
  readonly ranges: readonly Range[]
  /** True when each range yields ids in order. */
  readonly isOrdered: boolean
  /** True when the ranges contain no other rows of the list. */
  readonly isExact: boolean
}
