// How the rows of two resources belong together.
import type { Sql } from '../store/statement.ts'

export interface Relationship {
  readonly doc: string
  readonly many: boolean
  /** Of many: so many of one row are embedded; more are a list of their own. */
  readonly most?: number
  /** The other resource's type: a name, because resources name each other; `Related` finds it. */
  readonly target: string
  /** Which rows belong together: `from` and `to` are the aliases of the two tables. */
  readonly on: (from: string, to: string) => Sql
}
