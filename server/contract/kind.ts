// A kind of value: how clients write it, how it is shown, and how each surface and the database represent it.
import { z } from 'zod'
import type { StoredForm } from './stored_form.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type GraphqlScalar = 'ID' | 'String' | 'Int' | 'Boolean' | 'DateTime' | 'JsonString'

/**
 * `Taken` is the type that operations receive after a client's value was judged. `Stored` is the type of the value in a
 * row, and `Shown` the type that an answer has. Every kind of text, list, map or object takes its ceiling as an argument.
 * The ceiling stands in the zod schema, which judges values and is published as JSON Schema. A test finds a schema
 * without a ceiling.
 */
export interface Kind<Taken = unknown, Shown = Taken, Stored = Shown> {
  readonly name: string
  /** The JSON Schema of its values, made from the zod schema. */
  readonly schema: JsonSchema
  readonly graphql: GraphqlScalar
  readonly isList: boolean
  /** The members of a closed set. GraphQL spells them in upper case. */
  readonly values: readonly string[] | undefined
  /**
   * Judges a client's value and returns the type that operations receive. Undefined when only the
   * service writes this kind.
   */
  readonly input: z.ZodType<Taken> | undefined
  /** How its values are stored, filtered and sorted. Undefined when they cannot be filtered or sorted. */
  readonly stored: StoredForm | undefined
  /** True when JSON escapes no character of any value. Lists are written without looking for such characters. */
  readonly isPlain: boolean
  /**
   * The names of its schema and of its filter in the OpenAPI document. When absent, they are named after the field.
   */
  readonly named: { readonly schema?: string; readonly filter?: string }
  /** The example that documents show when the field or attribute has none. */
  readonly example: unknown
  /** Converts a stored value to the published one, but not null. When absent, a value is published as it is stored. */
  show?(stored: Stored): Shown
}

type Parts = Partial<Pick<Kind, 'isList' | 'isPlain' | 'values' | 'stored' | 'named'>> & {
  readonly example: unknown
}

/** A kind that clients write. Without `show` its values are published as they are stored. */
export const takenKind = <Taken, Shown = Taken, Stored = Shown>(
  name: string,
  graphql: GraphqlScalar,
  judge: z.ZodType<Taken>,
  parts: Parts & Pick<Kind<Taken, Shown, Stored>, 'show'>,
): Kind<Taken, Shown, Stored> =>
  Object.freeze({
    ...{ isList: false, isPlain: false, values: undefined, stored: undefined, named: {} },
    ...parts,
    name,
    graphql,
    schema: jsonSchemaOf(judge),
    input: judge,
  })

/** A kind that only the service writes. */
export const shownKind = <Stored, Shown>(
  name: string,
  graphql: GraphqlScalar,
  form: z.ZodType<Shown>,
  parts: Parts & { readonly show: (stored: Stored) => Shown },
): Kind<never, Shown, Stored> => Object.freeze({ ...takenKind(name, graphql, form, parts), input: undefined })

/**
 * Converts a zod schema to JSON Schema. Limits that zod cannot express, such as code points or bytes, come from
 * the schema's `meta`. Bounds without information are left out: those that every double satisfies, and a
 * maximum length beside an enum.
 */
function jsonSchemaOf(form: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(form, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.enum !== undefined) delete jsonSchema.maxLength
    },
  })
  return Object.fromEntries(Object.entries(schema).toSorted(([a], [b]) => placeOf(a) - placeOf(b)))
}

/** These keywords come first, because people read the document from the type on. */
const FIRST: readonly string[] = ['type', 'items', 'format']

const placeOf = (keyword: string): number => {
  if (keyword === 'writeOnly') return FIRST.length + 1
  return FIRST.includes(keyword) ? FIRST.indexOf(keyword) : FIRST.length
}

/** Adds null to the types and, for a closed set, to its members. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: members } = schema
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(members) ? { enum: [...members, null] } : {}),
  }
}
