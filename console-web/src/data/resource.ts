// Resources and pages of resources, as documents contain them. Attributes are not checked here; each reader
// checks its own.
import { type JsonObject, type JsonValue, memberAt } from '../../../shared/proof/json_value.ts'
import { pathOf } from './api_client.ts'
import { unreadable } from './api_failure.ts'
import { listOf, object, objectAt, shape, text, textAt } from './shape.ts'

export type Page<T> = {
  readonly rows: readonly T[]
  readonly next: string | null
  readonly previous: string | null
}

type Read<T> = (members: unknown) => T

/**
 * The reader of a document with one resource, by its shape.
 * @throws ApiFailure
 */
export const documentOf =
  <T>(read: Read<T>) =>
  (document: JsonValue): T =>
    read(membersOf(memberAt(document, 'data')))

/**
 * The reader of a page of resources, by their shape.
 * @throws ApiFailure
 */
export const pageOf =
  <T>(read: Read<T>) =>
  (document: JsonValue): Page<T> => {
    const data = memberAt(document, 'data')
    if (!Array.isArray(data)) throw unreadable()
    const links = memberAt(document, 'links')
    return {
      rows: data.map((one) => read(membersOf(one))),
      next: linkOf(memberAt(links, 'next')),
      previous: linkOf(memberAt(links, 'prev')),
    }
  }

/** The resources of one type, as a list under one path. */
export const collection = <T>(path: string, read: Read<T>) => ({
  path,
  /** The path of one of them. */
  at: (id: string): string => `${path}/${encodeURIComponent(id)}`,
  /** The reader of a document with one, and of a page of them. */
  readOne: documentOf(read),
  readPage: pageOf(read),
})

/** The body of a request that makes one, or that changes the one of this id. */
export const bodyOf = (type: string, attributes: object, id?: string) => ({ data: { type, id, attributes } })

/** What the answer to a write tells this once, such as a secret. Null when it does not. */
export const toldOnce = (answer: JsonValue, name: string): string | null =>
  textAt(objectAt(answer, 'meta'), name) ?? textAt(objectAt(answer, 'result'), name)

/** The included resources of one type, by their shape. */
export const includedOf = <T>(document: JsonValue, type: string, read: Read<T>): T[] => {
  const included = listOf(membersOf)(memberAt(document, 'included'))
  return included.filter((members) => members.type === type).map(read)
}

/** Rows that a page may have. */
export const LARGEST_PAGE = 250

/** The same page with as many rows as a page may have. */
export const widest = (path: string): string =>
  path.replace(/(page(?:\[|%5B)limit(?:\]|%5D)=)\d+/i, `$1${LARGEST_PAGE}`)

const linkOf = (link: JsonValue | undefined): string | null =>
  typeof link === 'string' ? pathOf(link) : null

const readResource = shape({ type: text, id: text, attributes: (value) => object(value ?? {}) })

/** What a shape reads of a resource: its attributes, its type and id, and as `raw` all of it as received. */
const membersOf = (value: unknown): JsonObject => {
  const { attributes, ...named } = readResource(value)
  return { ...attributes, ...named, raw: object(value) }
}
