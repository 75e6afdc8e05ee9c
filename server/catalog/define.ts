// The words every catalog file starts with: they fix the context, fill in what most definitions leave out, and freeze.
// The compiler carries the kinds of fields and attributes through them: `show` answers exactly the declared fields, and
// `run` is given exactly the declared attributes.
import { sql } from 'kysely'
import { type Action, type ActionParts, asAction } from '../contract/action.ts'
import type { Accepts } from '../contract/attribute.ts'
import type {
  Create,
  CreateOperation,
  Mutate,
  MutateOperation,
  Read,
  ReadOperation,
  Update,
  UpdateOperation,
} from '../contract/operation.ts'
import type { Relationship } from '../contract/relationship.ts'
import type { Fields, NothingElse, Resource, ShownFields } from '../contract/resource.ts'
import { ALWAYS } from '../store/conditions.ts'
import type { Sql } from '../store/statement.ts'
import type { Context } from './context.ts'

type Optional = 'visible' | 'listed' | 'prepare' | 'relationships'

type Definition<Row extends object> = Omit<Resource<Row, Context>, Optional | 'fields' | 'heavy' | 'show'> &
  Partial<Pick<Resource<Row, Context>, Optional>>

interface Projection<Row, F extends Fields, Shown> {
  readonly fields: F
  readonly heavy?: readonly (keyof F & string)[]
  show(row: Row, context: Context): Shown & NothingElse<F, Shown>
}

/**
 * A resource; without `visible` every caller may read every row, without `listed` lists show all that is visible. The
 * second call is where TypeScript infers the fields: it infers all type arguments of a call, or none.
 */
export const resource =
  <Row extends object>() =>
  <F extends Fields, Shown extends ShownFields<F>>(
    definition: Definition<Row> & Projection<Row, F, Shown>,
  ): Resource<Row, Context> =>
    Object.freeze({
      visible: (): Sql => ALWAYS,
      listed: async (): Promise<Sql> => ALWAYS,
      prepare: async () => undefined,
      relationships: {},
      ...definition,
    })

/**
 * Operations that take something are written with one of these, so that `run` is given what `accepts` or `parameters`
 * declare. The others are plain objects.
 */
export const create = <Row extends object, A extends Accepts>(
  parts: Create<Row, Context, A>,
): CreateOperation<Row, Context, A> => Object.freeze({ ...parts, renders: 'document', kind: 'create' })

export const update = <Row extends object, A extends Accepts>(
  parts: Update<Row, Context, A>,
): UpdateOperation<Row, Context, A> => Object.freeze({ ...parts, renders: 'document', kind: 'update' })

export const mutate = <Row extends object, A extends Accepts>(
  parts: Mutate<Row, Context, A>,
): MutateOperation<Row, Context, A> => Object.freeze({ ...parts, renders: 'document', kind: 'mutate' })

export const read = <Name extends string = never>(parts: Read<Context, Name>): ReadOperation<Context, Name> =>
  Object.freeze({ ...parts, renders: 'bare', kind: 'read' })

export const action = <A extends Accepts, Result>(
  parts: ActionParts<Context, A, Result>,
): Action<Context, A> => asAction(parts)

/** To one row: `column` here holds the other's id. */
export const toOne = (column: string, target: string, doc: string): Relationship =>
  Object.freeze({
    doc,
    many: false,
    target,
    on: (from: string, to: string) => sql.raw(`${to}.id = ${from}.${column}`),
  })

/** So many related rows of one row are embedded, unless the relationship has a ceiling of its own. */
export const MOST_RELATED = 250

/** To many rows: `column` there holds our id. */
export const toMany = (column: string, target: string, doc: string, most = MOST_RELATED): Relationship =>
  Object.freeze({
    doc,
    many: true,
    most,
    target,
    on: (from: string, to: string) => sql.raw(`${to}.${column} = ${from}.id`),
  })
