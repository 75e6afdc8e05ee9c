// The kinds of published values: a closed table that every surface reads its own column of.
import { z } from 'zod'
import { isUlid } from '../../shared/proof/ulid.ts'
import { isUuid7 } from '../../shared/proof/uuid7.ts'
import {
  type StoredForm,
  storableMs,
  storedBoolean,
  storedHex,
  storedInstant,
  storedInteger,
  storedText,
  storedTextList,
  storedWord,
} from './stored_form.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type GraphqlScalar = 'ID' | 'String' | 'Int' | 'Boolean' | 'DateTime' | 'JsonString'

export interface Kind {
  readonly name: string
  /** What a published value looks like. */
  readonly schema: JsonSchema
  readonly graphql: GraphqlScalar
  readonly isList: boolean
  /** The closed set of an enumeration; GraphQL spells its members in upper case. */
  readonly values: readonly string[] | undefined
  /** Judges a value that a client sends; undefined on kinds that only the service writes. */
  readonly input: z.ZodType | undefined
  /** How it takes part in filters and sorts; undefined on kinds that do not. */
  readonly stored: StoredForm | undefined
}

const kind = (name: string, graphql: GraphqlScalar, schema: JsonSchema, parts: Partial<Kind> = {}): Kind =>
  Object.freeze({
    name,
    graphql,
    schema,
    isList: false,
    values: undefined,
    input: undefined,
    stored: undefined,
    ...parts,
  })

/** PostgreSQL's text cannot hold U+0000, and no published text needs it. */
const plainText = (limits: { min?: number; max?: number }) =>
  z
    .string('must be a string')
    .refine((text) => !text.includes('\0'), 'cannot contain U+0000')
    .refine((text) => [...text].length >= (limits.min ?? 0), `has at least ${limits.min} characters`)
    .refine((text) => [...text].length <= (limits.max ?? 65_536), `has at most ${limits.max} characters`)

const HEX64 = /^[0-9a-f]{64}$/

/** e.g. `01a2ce8e-9320-7630-bb7f-73edc8868b1d` */
export const uuid7 = (): Kind =>
  kind(
    'uuid7',
    'ID',
    { type: 'string', format: 'uuid' },
    { input: z.string().refine(isUuid7, 'must be a UUIDv7'), stored: storedText },
  )

/** e.g. `01MB78W7FGY7TZHKNWE7WA3Z57` */
export const ulid = (): Kind =>
  kind(
    'ulid',
    'ID',
    { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
    { input: z.string().refine(isUlid, 'must be a ULID'), stored: storedText },
  )

/** 32 bytes in lower-case hex. */
export const hex64 = (): Kind =>
  kind(
    'hex64',
    'String',
    { type: 'string', pattern: '^[0-9a-f]{64}$' },
    { input: z.string().regex(HEX64, 'must be 64 hex characters'), stored: storedHex(32) },
  )

/** A signing key's id: 4 bytes in lower-case hex. */
export const hex8 = (): Kind => kind('hex8', 'String', { type: 'string', pattern: '^[0-9a-f]{8}$' })

export const base64 = (): Kind => kind('base64', 'String', { type: 'string', contentEncoding: 'base64' })

export const text = (limits: { min?: number; max?: number } = {}): Kind =>
  kind(
    'text',
    'String',
    {
      type: 'string',
      ...(limits.min === undefined ? {} : { minLength: limits.min }),
      ...(limits.max === undefined ? {} : { maxLength: limits.max }),
    },
    { input: plainText(limits), stored: storedText },
  )

/** Any characters at all: for what is only hashed or parsed. */
export const freeText = (): Kind =>
  kind('free_text', 'String', { type: 'string' }, { input: z.string('must be a string') })

export const textList = (limits: { items: number; length: number }): Kind =>
  kind(
    'text_list',
    'String',
    {
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: limits.length },
      maxItems: limits.items,
      uniqueItems: true,
    },
    {
      isList: true,
      input: z.array(z.string('must be a string'), 'must be a list of strings'),
      stored: storedTextList,
    },
  )

/** Names out of a closed set; which are none is judged by whoever knows the set, with a code of its own. */
export const names = (values: readonly string[]): Kind => {
  const most = 4 * values.length
  return kind(
    'names',
    'String',
    { type: 'array', items: { type: 'string', enum: values }, maxItems: most },
    {
      isList: true,
      input: z
        .array(z.string('must be a string'), 'must be a list of strings')
        .max(most, `has at most ${most} entries`),
    },
  )
}

/** A JSON object, or the text of what stands for one. On GraphQL always the text. */
export const objectOrText = (): Kind =>
  kind(
    'object_or_text',
    'String',
    { type: ['object', 'string'] },
    {
      input: z.custom(
        (value) =>
          typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
        'must be an object or a string',
      ),
    },
  )

export const integer = (): Kind =>
  kind('integer', 'Int', { type: 'integer' }, { input: z.int('must be an integer'), stored: storedInteger })

export const boolean = (): Kind =>
  kind(
    'boolean',
    'Boolean',
    { type: 'boolean' },
    { input: z.boolean('must be true or false'), stored: storedBoolean },
  )

/** e.g. `2026-11-20T18:00:00.123Z` */
export const instant = (): Kind =>
  kind(
    'instant',
    'DateTime',
    { type: 'string', format: 'date-time' },
    {
      input: z
        .string()
        .refine((text) => storableMs(text) !== undefined, 'must be an ISO 8601 time with an offset'),
      stored: storedInstant,
    },
  )

export const enumeration = (values: readonly [string, ...string[]]): Kind =>
  kind(
    'enumeration',
    'String',
    { type: 'string', enum: values },
    { values, input: z.enum(values, `must be one of ${values.join(', ')}`), stored: storedWord(values) },
  )

/** A closed set that GraphQL knows as plain text. */
export const word = (values: readonly [string, ...string[]]): Kind =>
  Object.freeze({ ...enumeration(values), name: 'word', values: undefined })

/** Text that is taken and never shown. Its length and characters are judged by whoever knows where it goes. */
export const secretText = (limits: { min: number; max: number }): Kind =>
  kind(
    'secret_text',
    'String',
    { type: 'string', minLength: limits.min, maxLength: limits.max, writeOnly: true },
    { input: z.string('must be a string') },
  )

/** Texts by name; on GraphQL the JSON text of them. */
export const textMap = (limits: { entries: number; length: number }): Kind =>
  kind(
    'text_map',
    'JsonString',
    {
      type: 'object',
      maxProperties: limits.entries,
      additionalProperties: { type: 'string', maxLength: limits.length },
      writeOnly: true,
    },
    {
      // The record below would leave this member out without a word.
      input: z
        .custom(
          (value) => !(typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')),
          'must not have a member __proto__',
        )
        .pipe(z.record(z.string(), z.string('must be a string'), 'must be an object')),
    },
  )

/** A JSON object, published as itself; on GraphQL as its JSON text. */
export const jsonObject = (schema: JsonSchema = {}): Kind =>
  kind(
    'json_object',
    'JsonString',
    { ...schema, type: 'object' },
    {
      input: z.custom(
        (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        'must be an object',
      ),
    },
  )

/** The claims of an item. Their own rules are the ledger's to judge. */
export const claims = (): Kind => Object.freeze({ ...jsonObject(), name: 'claims' })

/** A list of JSON values, at most so many. */
export const list = (items: JsonSchema, most: number): Kind =>
  kind(
    'list',
    'JsonString',
    { type: 'array', items, minItems: 1, maxItems: most },
    {
      input: z
        .array(z.unknown(), 'must be a list')
        .min(1, 'is empty')
        .max(most, `has at most ${most} entries`),
    },
  )
