// Readers of received JSON: of whole objects, each from one table of its members, which is its type too, and of single
// members.
import { type JsonObject, memberOf } from '../../../shared/proof/json_value.ts'
import { unreadable } from './api_failure.ts'

/** Reads one member. Throws ApiFailure when it has to be there and is something else. */
export type Field<T> = ((value: unknown) => T) & { readonly wireName?: string }

type Fields = { readonly [name: string]: Field<unknown> }

type Shaped<All extends Fields> = { readonly [Name in keyof All]: ReturnType<All[Name]> }

/**
 * A reader of objects, from one table of their members: `shape({ url: text, lastSuccessAt: textOrNull })`. Its type is
 * `ReturnType` of the reader. A member is called as on the wire, but in camel case (`last_success_at`); one of another
 * name is `called`. Shapes are fields of other shapes.
 */
export const shape = <All extends Fields>(fields: All): ((value: unknown) => Shaped<All>) => {
  const rows = Object.entries(fields).map(
    ([name, read]) => [name, read.wireName ?? wireNameOf(name), read] as const,
  )
  return (value) => {
    if (!isJsonObject(value)) throw unreadable()
    const read = rows.map(([name, wireName, field]) => [name, field(memberOf(value, wireName))])
    // The table says which fields these are, and the type says the same of the table.
    return Object.fromEntries(read) as Shaped<All>
  }
}

const wireNameOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The same field under another name on the wire. */
export const called = <T>(wireName: string, field: Field<T>): Field<T> =>
  Object.assign((value: unknown): T => field(value), { wireName })

export const text: Field<string> = (value) => needed(textOrNull(value))
export const textOrNull: Field<string | null> = (value) => (typeof value === 'string' ? value : null)
export const number: Field<number> = (value) => needed(numberOrNull(value))
export const numberOrNull: Field<number | null> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
/** Anything else is not true. */
export const isTrue: Field<boolean> = (value) => value === true
export const object: Field<JsonObject> = (value) => needed(objectOrNull(value))
export const objectOrNull: Field<JsonObject | null> = (value) => (isJsonObject(value) ? value : null)
/** The texts in a list. What is no list has none. */
export const texts: Field<readonly string[]> = (value) =>
  (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string')
/** A list of shapes. What is no list has none. */
export const listOf =
  <T>(read: (value: unknown) => T): Field<readonly T[]> =>
  (value) =>
    (Array.isArray(value) ? value : []).map(read)
/** What a field reads, and `otherwise` where that is null: `or(numberOrNull, 0)`. */
export const or =
  <T>(field: Field<T | null>, otherwise: T): Field<T> =>
  (value) =>
    field(value) ?? otherwise
/** One of the words, and null for any other. */
export const oneOf =
  <Word extends string>(words: readonly Word[]): Field<Word | null> =>
  (value) =>
    words.find((word) => word === value) ?? null

/** @throws ApiFailure for null */
export const needed = <T>(read: T | null): T => {
  if (read === null) throw unreadable()
  return read
}

/** What is received was JSON. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One member of what may be no object. Null when it is something else. */
const member =
  <T>(field: Field<T | null>) =>
  (value: unknown, name: string): T | null =>
    isJsonObject(value) ? field(memberOf(value, name)) : null

export const objectAt = member(objectOrNull)
export const textAt = member(textOrNull)
export const numberAt = member(numberOrNull)
