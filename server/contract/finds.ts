// How lists of a resource find their rows: by ranges of indexes, and by bounds of ids.
import type { KeysetValue } from '../kernel/keyset.ts'
import type { Sql } from '../store/statement.ts'
import type { Range } from './range.ts'
import type { OperatorName, StoredForm } from './stored_form.ts'

/** For a resource whose rows lists find elsewhere than by indexes of its own table, or that contains unreadable rows. */
export interface Finds<Context> {
  /** Every row of the list. */
  all(context: Context): Promise<Found>
  /** The rows with one of some values. Undefined when no index helps. */
  readonly by: Readonly<Record<string, (wanted: Wanted, context: Context) => Promise<Found | undefined>>>
  /** Bounds of the ids of rows for which a comparison holds. Undefined when there are none. */
  readonly ids: Readonly<Record<string, BoundOf>>
  /** A field with the same order as the id, of which it is a part. */
  readonly sameOrderAsId?: string
}

/** @param value as its kind binds it */
export type BoundOf = (
  operator: OperatorName,
  value: unknown,
) => { readonly condition: (id: Sql) => Sql; readonly isExact: boolean } | undefined

/** The values that a filter asks a field for. */
export interface Wanted {
  readonly stored: StoredForm
  /** As clients write them. */
  readonly values: readonly KeysetValue[]
  /** As their kind binds them. */
  readonly bound: readonly unknown[]
}

/** Ranges that together contain every row with some property, each once. */
export interface Found {
  readonly ranges: readonly Range[]
  /** True when each range yields ids in order. */
  readonly isOrdered: boolean
  /** True when the ranges contain no other rows of the list. */
  readonly isExact: boolean
}
