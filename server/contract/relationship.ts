// A relationship: how the rows of two resources are connected.
import type { Sql } from '../store/statement.ts'

export interface Relationship {
  readonly doc: string
  readonly many: boolean
  /**
   * For a relationship to many: the most related rows of one row that GraphQL shows. Elsewhere the room of the answer
   * decides, and a row with more of them is read by itself.
   */
  readonly most?: number
  /**
   * The type of the other resource. It is a name because resources refer to each other; `Related` finds the resource.
   */
  readonly target: string
  /** The join condition. `from` and `to` are the aliases of the two tables. */
  readonly on: (from: string, to: string) => Sql
}
