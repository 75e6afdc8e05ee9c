// The kinds of published values: a closed table that every surface reads its own column of.
import { z } from 'zod'
import { dropNulls, MAX_CANONICAL_CLAIMS_BYTES } from '../../shared/proof/claims.ts'
import { isUlid, normalizeUlid, ULID_LENGTH } from '../../shared/proof/ulid.ts'
import { isUuid7, normalizeUuid7 } from '../../shared/proof/uuid7.ts'
import {
  type Bounds,
  base64Length,
  boundedInteger,
  boundedList,
  boundedMap,
  boundedObject,
  boundedObjectOrText,
  boundedText,
  membersIn,
  storableText,
} from './bounds.ts'
import {
  type StoredForm,
  storableMs,
  storedBoolean,
  storedHex,
  storedId,
  storedInstant,
  storedInteger,
  storedText,
  storedTextList,
  storedWord,
} from './stored_form.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Readonly<Record<string, unknown>>

export type GraphqlScalar = 'ID' | 'String' | 'Int' | 'Boolean' | 'DateTime' | 'JsonString'

/**
 * Every kind of text, list, map or object takes its ceiling from whoever declares it, and writes it into the schema and
 * the judge alike: `check_ceilings.ts` refuses to publish what has none.
 */
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

const HEX64 = /^[0-9a-f]{64}$/

const UUID_LENGTH = 36

/** A name that is none is told as such, unless it is longer than any name could be. */
const LONGEST_NAME = 1_024

/** An ISO 8601 time with more digits than anybody's clock has. */
const LONGEST_INSTANT = 64

/** e.g. `01a2ce8e-9320-7630-bb7f-73edc8868b1d` */
export const uuid7 = (): Kind =>
  kind(
    'uuid7',
    'ID',
    { type: 'string', format: 'uuid', maxLength: UUID_LENGTH },
    {
      input: z.string('must be a UUIDv7').refine(isUuid7, 'must be a UUIDv7'),
      stored: storedId('a UUIDv7', normalizeUuid7, UUID_LENGTH),
    },
  )

/** e.g. `01MB78W7FGY7TZHKNWE7WA3Z57` */
export const ulid = (): Kind =>
  kind(
    'ulid',
    'ID',
    { type: 'string', pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', maxLength: ULID_LENGTH },
    {
      input: z.string('must be a ULID').refine(isUlid, 'must be a ULID'),
      stored: storedId('a ULID', normalizeUlid, ULID_LENGTH),
    },
  )

/** 32 bytes in lower-case hex. */
export const hex64 = (): Kind =>
  kind(
    'hex64',
    'String',
    { type: 'string', pattern: '^[0-9a-f]{64}$', maxLength: 64 },
    {
      input: z.string('must be 64 hex characters').regex(HEX64, 'must be 64 hex characters'),
      stored: storedHex(32),
    },
  )

/** A signing key's id: 4 bytes in lower-case hex. */
export const hex8 = (): Kind =>
  kind('hex8', 'String', { type: 'string', pattern: '^[0-9a-f]{8}$', maxLength: 8 })

/** At most so many bytes. */
export const base64 = ({ bytes }: { bytes: number }): Kind =>
  kind('base64', 'String', {
    type: 'string',
    contentEncoding: 'base64',
    maxLength: base64Length(bytes),
  })

const lengths = ({ min, max }: Bounds) => ({
  ...(min === undefined ? {} : { minLength: min }),
  maxLength: max,
})

export const text = (bounds: Bounds): Kind =>
  kind(
    'text',
    'String',
    { type: 'string', ...lengths(bounds) },
    { input: storableText(bounds), stored: storedText(bounds.max) },
  )

/** Any characters at all: for what is only hashed or parsed. */
export const freeText = (bounds: Bounds): Kind =>
  kind('free_text', 'String', { type: 'string', ...lengths(bounds) }, { input: boundedText(bounds) })

/** Distinct texts, none of them empty. */
export const textList = ({ items, length }: { items: number; length: number }): Kind => {
  const each = { min: 1, max: length }
  return kind(
    'text_list',
    'String',
    {
      type: 'array',
      items: { type: 'string', ...lengths(each) },
      maxItems: items,
      uniqueItems: true,
    },
    {
      isList: true,
      input: boundedList({ max: items }, storableText(each), {
        message: 'must be a list of strings',
        unique: true,
      }),
      stored: storedTextList(length),
    },
  )
}

/** Names out of a closed set; which are none is judged by whoever knows the set, with a code of its own. */
export const names = (values: readonly string[], { min }: { min?: number } = {}): Kind => {
  const max = 4 * values.length
  return kind(
    'names',
    'String',
    {
      type: 'array',
      items: { type: 'string', enum: values },
      ...(min === undefined ? {} : { minItems: min }),
      maxItems: max,
    },
    {
      isList: true,
      input: boundedList({ ...(min === undefined ? {} : { min }), max }, boundedText({ max: LONGEST_NAME }), {
        message: 'must be a list of strings',
      }),
    },
  )
}

/** A JSON object of so many bytes at most, or the text of what stands for one, base64 included. On GraphQL always the text. */
export const objectOrText = ({ bytes }: { bytes: number }): Kind =>
  kind(
    'object_or_text',
    'String',
    {
      type: ['object', 'string'],
      maxLength: base64Length(bytes),
      maxProperties: membersIn(bytes),
      'x-max-bytes': bytes,
    },
    { input: boundedObjectOrText({ bytes, max: base64Length(bytes) }) },
  )

/** Within what a double holds exactly; within the bounds where there are any. */
export const integer = ({ min, max }: { min?: number; max?: number } = {}): Kind =>
  kind(
    'integer',
    'Int',
    {
      type: 'integer',
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    },
    {
      input: boundedInteger({ min, max }),
      stored: storedInteger,
    },
  )

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
    { type: 'string', format: 'date-time', maxLength: LONGEST_INSTANT },
    {
      input: boundedText({ max: LONGEST_INSTANT }).refine(
        (text) => storableMs(text) !== undefined,
        'must be an ISO 8601 time with an offset',
      ),
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

/** Text that is taken and never shown. Its characters are judged by whoever knows where it goes. */
export const secretText = (bounds: Bounds): Kind =>
  kind(
    'secret_text',
    'String',
    { type: 'string', ...lengths(bounds), writeOnly: true },
    { input: boundedText(bounds) },
  )

/** Texts by name; on GraphQL the JSON text of them. */
export const textMap = (bounds: { entries: number; name: number; length: number }): Kind => {
  const [name, value] = [{ min: 1, max: bounds.name }, { max: bounds.length }]
  return kind(
    'text_map',
    'JsonString',
    {
      type: 'object',
      maxProperties: bounds.entries,
      propertyNames: { type: 'string', ...lengths(name) },
      additionalProperties: { type: 'string', ...lengths(value) },
      writeOnly: true,
    },
    { input: boundedMap({ max: bounds.entries }, name, value) },
  )
}

/** A JSON object of so many bytes at most, published as itself; on GraphQL as its JSON text. */
export const jsonObject = ({ bytes }: { bytes: number }): Kind =>
  kind(
    'json_object',
    'JsonString',
    { type: 'object', maxProperties: membersIn(bytes), 'x-max-bytes': bytes },
    { input: boundedObject(bytes) },
  )

/** The claims of an item; what is null in them does not count. Their own rules are the ledger's to judge. */
export const claims = (): Kind =>
  Object.freeze({
    ...jsonObject({ bytes: MAX_CANONICAL_CLAIMS_BYTES }),
    name: 'claims',
    input: boundedObject(MAX_CANONICAL_CLAIMS_BYTES, dropNulls),
  })

/** A list of JSON values, at least one and at most so many. */
export const list = (items: JsonSchema, most: number): Kind =>
  kind(
    'list',
    'JsonString',
    { type: 'array', items, minItems: 1, maxItems: most },
    { input: boundedList({ min: 1, max: most }, z.unknown()) },
  )
