// Builders for catalog definitions, by whose types the compiler checks what is shown and what `run` receives.
import { sql } from 'kysely'
import type { Accepts } from '../contract/attribute.ts'
import {
  type Action,
  type ActionParts,
  asAction,
  type CreateOperation,
  type DeleteOperation,
  type GetOperation,
  type ListOperation,
  type MutateOperation,
  type ReadOperation,
  type UpdateOperation,
} from '../contract/operation.ts'
import {
  DEFAULT_PAGE,
  type Fields,
  type Identified,
  type OwnShow,
  type Relationship,
  type Resource,
  shownFields,
} from '../contract/resource.ts'
import { ALWAYS, type Sql } from '../store/statement.ts'
import type { Context } from './context.ts'

type Optional = 'idOf' | 'listed' | 'page' | 'prepare' | 'relationships' | 'visible'

type Definition<Row extends object> = Omit<Resource<Row, Context>, Optional | 'fields' | 'heavy' | 'shown'> &
  Partial<Pick<Resource<Row, Context>, Optional>>

interface Projection<F extends Fields> {
  readonly fields: F
  readonly heavy?: readonly (keyof F & string)[]
}

/** `show` may be left out when it has nothing to say. */
type WithShow<Own> = Record<never, never> extends Own ? { readonly show?: Own } : { readonly show: Own }

/**
 * Defines a resource. Without `visible`, every caller may read every row. Without `listed`, lists show every visible
 * row. A field that `show` does not name is shown by its kind, from the row's member of the same name. It takes two
 * calls because TypeScript infers either all type arguments of a call or none: the first call names the row, and the
 * second infers the fields.
 */
export const resource =
  <Row extends Identified>() =>
  <F extends Fields>(
    definition: Definition<Row> & Projection<F> & WithShow<OwnShow<Row, F, Context>>,
  ): Resource<Row, Context> => {
    const parts: Definition<Row> & Projection<F> = definition
    return Object.freeze({
      idOf: ({ id }: Row) => id,
      visible: (): Sql => ALWAYS,
      listed: async (): Promise<Sql> => ALWAYS,
      prepare: async () => undefined,
      relationships: {},
      page: DEFAULT_PAGE,
      ...parts,
      shown: shownFields<Row, Context>(parts.fields, definition.show ?? {}),
    })
  }

type Parts<One> = Omit<One, 'kind' | 'graphql'> & { readonly graphql?: string }

/** Each operation uses one of these builders, so that `run` receives the declared types. */
export const create = <Row extends object, A extends Accepts>(
  parts: Parts<CreateOperation<Row, Context, A>>,
): CreateOperation<Row, Context, A> => Object.freeze({ graphql: parts.name, ...parts, kind: 'create' })

export const list = (parts: Parts<ListOperation<Context>>): ListOperation<Context> =>
  Object.freeze({ graphql: parts.name, ...parts, kind: 'list' })

export const get = <Row extends object>(
  parts: Parts<GetOperation<Row, Context>>,
): GetOperation<Row, Context> => Object.freeze({ graphql: parts.name, ...parts, kind: 'get' })

export const update = <Row extends object, A extends Accepts>(
  parts: Parts<UpdateOperation<Row, Context, A>>,
): UpdateOperation<Row, Context, A> => Object.freeze({ graphql: parts.name, ...parts, kind: 'update' })

export const remove = <Row extends object>(
  parts: Parts<DeleteOperation<Row, Context>>,
): DeleteOperation<Row, Context> => Object.freeze({ graphql: parts.name, ...parts, kind: 'delete' })

export const mutate = <Row extends object, A extends Accepts>(
  parts: Parts<MutateOperation<Row, Context, A>>,
): MutateOperation<Row, Context, A> => Object.freeze({ graphql: parts.name, ...parts, kind: 'mutate' })

export const read = <Name extends string = never>(
  parts: Parts<ReadOperation<Context, Name>>,
): ReadOperation<Context, Name> => Object.freeze({ graphql: parts.name, ...parts, kind: 'read' })

export const action = <A extends Accepts, Result>(
  parts: ActionParts<Context, A, Result>,
): Action<Context, A> => asAction(parts)

/** A relationship to one row. @param by our column that holds the id of the other row, or another join condition */
export const toOne = (by: string | Relationship['on'], target: string, doc: string): Relationship =>
  Object.freeze({
    doc,
    many: false,
    target,
    on: typeof by === 'string' ? (from: string, to: string) => sql.raw(`${to}.id = ${from}.${by}`) : by,
  })

/** The most related rows that are embedded for one row. */
const MOST_RELATED = 250

/** A relationship to many rows. @param by their column that holds the id of our row, or another join condition */
export const toMany = (by: string | Relationship['on'], target: string, doc: string): Relationship =>
  Object.freeze({
    doc,
    many: true,
    most: MOST_RELATED,
    target,
    on: typeof by === 'string' ? (from: string, to: string) => sql.raw(`${to}.${by} = ${from}.id`) : by,
  })
