// Builders for catalog definitions, by whose types the compiler checks what `show` returns and what `run` receives;
// and the conversions of stored values to published ones.
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
import type { Fields, NothingElse, Relationship, Resource, ShownFields } from '../contract/resource.ts'
import { JsonText } from '../kernel/json_text.ts'
import { ALWAYS } from '../store/conditions.ts'
import type { Legible } from '../store/row_reader.ts'
import type { Sql } from '../store/statement.ts'
import type { Context } from './context.ts'

/** @param bytes a text when the row was read to be shown; it is the hex already */
export const hexOf = (bytes: Legible<Uint8Array>): string =>
  typeof bytes === 'string' ? bytes : bufferOf(bytes).toString('hex')

export const base64Of = (bytes: Legible<Uint8Array>): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bufferOf(bytes)).toString('base64')

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** e.g. `2026-11-20T18:00:00.123Z` */
export const timeOf = (at: Legible<Date>): string => (typeof at === 'string' ? at : at.toISOString())

export const timeOrNull = (at: Legible<Date> | null | undefined): string | null => (at ? timeOf(at) : null)

/**
 * Returns canonical JSON text unchanged, because its exact bytes were hashed. Returns null when there is no text or
 * the column was not read.
 */
export function jsonOf(canonical: string): JsonText
export function jsonOf(canonical: string | null | undefined): JsonText | null
export function jsonOf(canonical: string | null | undefined): JsonText | null {
  return canonical === null || canonical === undefined ? null : new JsonText(canonical)
}

type Optional = 'visible' | 'listed' | 'prepare' | 'relationships'

type Definition<Row extends object> = Omit<Resource<Row, Context>, Optional | 'fields' | 'heavy' | 'show'> &
  Partial<Pick<Resource<Row, Context>, Optional>>

interface Projection<Row, F extends Fields, Shown> {
  readonly fields: F
  readonly heavy?: readonly (keyof F & string)[]
  show(row: Row, context: Context): Shown & NothingElse<F, Shown>
}

/**
 * Defines a resource. Without `visible`, every caller may read every row. Without `listed`, lists show every visible
 * row. It takes two calls because TypeScript infers either all type arguments of a call or none: the first call names
 * the row, and the second infers the fields.
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
 * An operation with `accepts` or `parameters` uses one of these builders, so that `run` receives the declared types.
 * Other operations are plain objects.
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

/** A relationship to one row. Our `column` holds the id of the other row. */
export const toOne = (column: string, target: string, doc: string): Relationship =>
  Object.freeze({
    doc,
    many: false,
    target,
    on: (from: string, to: string) => sql.raw(`${to}.id = ${from}.${column}`),
  })

/** The most related rows that are embedded for one row, unless the relationship declares its own ceiling. */
export const MOST_RELATED = 250

/** A relationship to many rows. Their `column` holds the id of our row. */
export const toMany = (column: string, target: string, doc: string, most = MOST_RELATED): Relationship =>
  Object.freeze({
    doc,
    many: true,
    most,
    target,
    on: (from: string, to: string) => sql.raw(`${to}.${column} = ${from}.id`),
  })
