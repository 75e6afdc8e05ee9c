// Kinds of values: ids, hashes and keys; numbers, times and words from a closed set; text; JSON values.
import { z } from 'zod'
import { isUlid, isUuid7, normalizeUlid, normalizeUuid7, ULID_LENGTH } from '../../shared/proof/ids.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { JsonText } from '../kernel/json_text.ts'
import type { Legible } from '../store/row_reader.ts'
import {
  type Bounds,
  base64Length,
  boundedInteger,
  boundedList,
  boundedMap,
  boundedObject,
  boundedObjectOrText,
  boundedText,
  storableText,
} from './bounds.ts'
import { type Kind, shownKind, takenKind } from './kind.ts'
import {
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

const UUID_LENGTH = 36

/** e.g. `01a2ce8e-9320-7630-bb7f-73edc8868b1d` */
export const uuid7 = (): Kind<string> =>
  takenKind(
    'uuid7',
    'ID',
    z
      .string('must be a UUIDv7')
      .refine(isUuid7, 'must be a UUIDv7')
      .meta({ format: 'uuid', maxLength: UUID_LENGTH }),
    {
      isPlain: true,
      stored: storedId('a UUIDv7', normalizeUuid7, UUID_LENGTH),
      named: { schema: 'Uuid7', filter: 'Uuid7' },
      example: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    },
  )

/** e.g. `01MB78W7FGY7TZHKNWE7WA3Z57` */
export const ulid = (): Kind<string> =>
  takenKind(
    'ulid',
    'ID',
    z
      .string('must be a ULID')
      .refine(isUlid, 'must be a ULID')
      .meta({ pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', maxLength: ULID_LENGTH }),
    {
      isPlain: true,
      stored: storedId('a ULID', normalizeUlid, ULID_LENGTH),
      named: { schema: 'Ulid', filter: 'Ulid' },
      example: '01MB78W7FGY7TZHKNWE7WA3Z57',
    },
  )

/** 32 bytes in lower-case hex. */
export const hex64 = (): Kind<string, string, Legible<Uint8Array>> =>
  takenKind(
    'hex64',
    'String',
    z
      .string('must be 64 hex characters')
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hex characters')
      .meta({ maxLength: 64 }),
    {
      isPlain: true,
      show: hexOf,
      stored: storedHex(32),
      named: { schema: 'Hex64', filter: 'Hex64' },
      example: '77b87c8129f32320a030b0628d8e30cca99e23e3b117b13097d619c30c0b662a',
    },
  )

/** A signing key's id: 4 bytes in lower-case hex. */
export const hex8 = (): Kind<never, string, Legible<Uint8Array>> =>
  shownKind(
    'hex8',
    'String',
    z
      .string()
      .regex(/^[0-9a-f]{8}$/)
      .meta({ maxLength: 8 }),
    { isPlain: true, show: hexOf, named: { schema: 'Hex8' }, example: '0b662a77' },
  )

/** Base64 of at most this many bytes. */
export const base64 = ({ bytes }: { bytes: number }): Kind<never, string, Legible<Uint8Array>> =>
  shownKind(
    'base64',
    'String',
    z.string().meta({ contentEncoding: 'base64', maxLength: base64Length(bytes) }),
    {
      isPlain: true,
      show: base64Of,
      named: { schema: 'Base64' },
      example: Buffer.alloc(bytes, 7).toString('base64'),
    },
  )

/** @param bytes a text when the row was read to be shown; it is the hex already */
export const hexOf = (bytes: Legible<Uint8Array>): string =>
  typeof bytes === 'string' ? bytes : bufferOf(bytes).toString('hex')

const base64Of = (bytes: Legible<Uint8Array>): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bufferOf(bytes)).toString('base64')

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

/** Longer than any ISO 8601 time with useful digits. */
const LONGEST_INSTANT = 64

/** An integer that a double represents exactly, within the bounds when they are given. */
export const integer = (bounds: Partial<Bounds> = {}): Kind<number> =>
  takenKind('integer', 'Int', boundedInteger(bounds), { stored: storedInteger, example: 1 })

export const boolean = (): Kind<boolean> =>
  takenKind('boolean', 'Boolean', z.boolean('must be true or false'), {
    stored: storedBoolean,
    named: { filter: 'Boolean' },
    example: true,
  })

/** e.g. `2026-11-20T18:00:00.123Z` */
export const instant = (): Kind<string, string, Legible<Date>> =>
  takenKind(
    'instant',
    'DateTime',
    boundedText({ max: LONGEST_INSTANT })
      .refine((text) => storableMs(text) !== undefined, 'must be an ISO 8601 time with an offset')
      .meta({ format: 'date-time' }),
    {
      isPlain: true,
      show: timeOf,
      stored: storedInstant,
      named: { schema: 'Instant', filter: 'Instant' },
      example: '2026-11-20T18:00:00.123Z',
    },
  )

/** @param at a text when the row was read to be shown; it is the published one already */
export const timeOf = (at: Legible<Date>): string => (typeof at === 'string' ? at : at.toISOString())

export const enumeration = <const Word extends string>(values: readonly [Word, ...Word[]]): Kind<Word> =>
  takenKind('enumeration', 'String', z.enum(values, `must be one of ${values.join(', ')}`), {
    isPlain: true,
    values,
    stored: storedWord(values),
    example: values[0],
  })

/** A word from a closed set that GraphQL shows as plain text, not as an enum. */
export const word = <const Word extends string>(values: readonly [Word, ...Word[]]): Kind<Word> =>
  Object.freeze({ ...enumeration(values), name: 'word', values: undefined })

/**
 * Names up to this length are checked against the set, so that the refusal can quote an unknown
 * name. No real name is longer.
 */
const LONGEST_NAME = 1_024

const EXAMPLE = 'A text'

export const text = (bounds: Bounds): Kind<string> =>
  takenKind('text', 'String', storableText(bounds), { stored: storedText(bounds.max), example: EXAMPLE })

/** Text with any characters, for values that are only hashed or parsed. */
export const freeText = (bounds: Bounds): Kind<string> =>
  takenKind('free_text', 'String', boundedText(bounds), { example: EXAMPLE })

/** Text that is accepted and never shown. The operation checks its characters, because they depend on its use. */
export const secretText = (bounds: Bounds): Kind<string, never> =>
  takenKind('secret_text', 'String', boundedText(bounds).meta({ writeOnly: true }), { example: EXAMPLE })

/** Distinct, non-empty texts. */
export const textList = ({ items, length }: { items: number; length: number }): Kind<readonly string[]> =>
  takenKind(
    'text_list',
    'String',
    boundedList({ max: items }, storableText({ min: 1, max: length }), {
      message: 'must be a list of strings',
      unique: true,
    }),
    { isList: true, stored: storedTextList(length), example: ['invoices'] },
  )

/** Names from a closed set. The operation checks for unknown names, because it has its own error code for them. */
export const names = (values: readonly string[], { min }: { min?: number } = {}): Kind<readonly string[]> =>
  takenKind(
    'names',
    'String',
    boundedList(
      { ...(min === undefined ? {} : { min }), max: 4 * values.length },
      boundedText({ max: LONGEST_NAME }).meta({ enum: values }),
      { message: 'must be a list of strings' },
    ),
    { isList: true, example: values.slice(0, 1) },
  )

/** Texts by name that are accepted and never shown. On GraphQL they are JSON text. */
export const textMap = (bounds: {
  entries: number
  name: number
  length: number
}): Kind<Readonly<Record<string, string>>, never> =>
  takenKind(
    'text_map',
    'JsonString',
    boundedMap({ max: bounds.entries }, { min: 1, max: bounds.name }, { max: bounds.length }).meta({
      writeOnly: true,
    }),
    { example: {} },
  )

/** A JSON object of at most `bytes` bytes, published as an object. On GraphQL it is JSON text. */
export const jsonObject = ({ bytes }: { bytes: number }): Kind<JsonObject, JsonText, string> =>
  takenKind('json_object', 'JsonString', boundedObject(bytes), { show: asHashed, example: {} })

/** Canonical JSON text leaves unchanged, because its exact bytes were hashed. */
export const asHashed = (canonical: string): JsonText => new JsonText(canonical)

/**
 * A JSON object of at most `bytes` bytes, or a text that encodes one, such as JSON or base64. On
 * GraphQL it is always text.
 */
export const objectOrText = ({ bytes }: { bytes: number }): Kind<JsonObject | string> =>
  takenKind('object_or_text', 'String', boundedObjectOrText({ bytes, max: base64Length(bytes) }), {
    example: 'A text',
  })

/** A list of JSON values, at least one unless said otherwise. On GraphQL it is JSON text. */
export const listOf = <Entry>(
  entry: z.ZodType<Entry>,
  most: number,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): Kind<readonly Entry[]> =>
  takenKind('list', 'JsonString', boundedList({ ...(mayBeEmpty ? {} : { min: 1 }), max: most }, entry), {
    example: [{}],
  })
