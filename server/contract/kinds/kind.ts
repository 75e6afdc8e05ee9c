// What a kind of value is: how clients write it, how it is shown, and what each surface and the database make of it.
import { z } from 'zod'
import type { StoredForm } from '../stored_form.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type GraphqlScalar = 'ID' | 'String' | 'Int' | 'Boolean' | 'DateTime' | 'JsonString'

/**
 * `Taken` is what operations receive once a client's value was judged, `Shown` is what `show` puts into an answer.
 * Every kind of text, list, map or object takes its ceiling from whoever declares it. The ceiling stands in the zod
 * schema, which judges values and is published as JSON Schema: `check_ceilings.ts` refuses to publish what has none.
 */
export interface Kind<Taken = unknown, Shown = Taken> {
  readonly name: string
  /** Of its values, made from the zod schema. */
  readonly schema: JsonSchema
  readonly graphql: GraphqlScalar
  readonly isList: boolean
  /** The closed set of an enumeration; GraphQL spells its members in upper case. */
  readonly values: readonly string[] | undefined
  /** Judges a value that a client sends, and answers what operations receive; undefined where only the service writes. */
  readonly input: z.ZodType<Taken> | undefined
  /** How it takes part in filters and sorts; undefined on kinds that do not. */
  readonly stored: StoredForm | undefined
  /** What the document calls its schema and the ways to filter by it; where absent, those are called after the field. */
  readonly named: { readonly schema?: string; readonly filter?: string }
  /** A value that documents show where the field or attribute has no better one. */
  readonly example: unknown
  /** For the compiler alone: never set. */
  readonly shows?: () => Shown
}

type Parts = Partial<Pick<Kind, 'isList' | 'values' | 'stored' | 'named'>> & { readonly example: unknown }

/** A kind that clients write. What was judged is shown as it is, unless `Shown` says otherwise. */
export const takenKind = <Taken, Shown = Taken>(
  name: string,
  graphql: GraphqlScalar,
  judge: z.ZodType<Taken>,
  parts: Parts,
): Kind<Taken, Shown> =>
  Object.freeze({
    ...{ isList: false, values: undefined, stored: undefined, named: {} },
    ...parts,
    name,
    graphql,
    schema: jsonSchemaOf(judge),
    input: judge,
  })

/** A kind that only the service writes. */
export const shownKind = <Shown>(
  name: string,
  graphql: GraphqlScalar,
  form: z.ZodType<Shown>,
  parts: Parts,
): Kind<never, Shown> =>
  Object.freeze({ ...takenKind<Shown, Shown>(name, graphql, form, parts), input: undefined })

/**
 * What zod cannot say by itself, such as code points or bytes, stands in the schema's `meta`. Bounds that say nothing
 * are left out: those that any double has, and a length beside the members of a closed set.
 */
export function jsonSchemaOf(form: z.ZodType): JsonSchema {
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

/** For people who read the document: what it is comes first. */
const FIRST: readonly string[] = ['type', 'items', 'format']

const placeOf = (keyword: string): number => {
  if (keyword === 'writeOnly') return FIRST.length + 1
  return FIRST.includes(keyword) ? FIRST.indexOf(keyword) : FIRST.length
}
