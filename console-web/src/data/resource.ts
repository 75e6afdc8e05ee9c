// Resources and pages of resources, as documents contain them. Attributes are not checked here; each reader
// checks its own.
import { isJsonObject, type JsonObject, type JsonValue, memberAt } from '../../../shared/proof/json_value.ts'
import { pathOf } from './api_client.ts'
import { unreadable } from './api_failure.ts'

export type Resource = {
  readonly type: string
  readonly id: string
  readonly attributes: JsonObject
  /** The resource as received, for display. */
  readonly raw: JsonObject
}

export type Page<T> = {
  readonly rows: readonly T[]
  readonly next: string | null
  readonly previous: string | null
}

/** @throws ApiFailure */
const readDocument = (document: JsonValue): Resource => readResource(memberAt(document, 'data'))

/** The included resources of one type. */
export const readIncluded = (document: JsonValue, type: string): Resource[] =>
  listOf(memberAt(document, 'included'))
    .map(readResource)
    .filter((resource) => resource.type === type)

/** @throws ApiFailure */
export const readPage =
  <T>(read: (resource: Resource) => T) =>
  (document: JsonValue): Page<T> => {
    const data = memberAt(document, 'data')
    if (!Array.isArray(data)) throw unreadable()
    const links = memberAt(document, 'links')
    return {
      rows: data.map((one) => read(readResource(one))),
      next: linkOf(memberAt(links, 'next')),
      previous: linkOf(memberAt(links, 'prev')),
    }
  }

/** What a shape reads of a resource: its attributes, its id, and as `raw` all of it as received. */
export const membersOf = ({ id, attributes, raw }: Resource): JsonObject => ({ ...attributes, id, raw })

type Read<T> = (members: unknown) => T

/** The reader of a document with one resource, by its shape. */
export const documentOf =
  <T>(read: Read<T>) =>
  (document: JsonValue): T =>
    read(membersOf(readDocument(document)))

/** The reader of a page of resources, by their shape. */
export const pageOf = <T>(read: Read<T>): ((document: JsonValue) => Page<T>) =>
  readPage((resource) => read(membersOf(resource)))

/** The included resources of one type, by their shape. */
export const includedOf = <T>(document: JsonValue, type: string, read: Read<T>): T[] =>
  readIncluded(document, type).map((resource) => read(membersOf(resource)))

/** Rows that a page may have. */
export const LARGEST_PAGE = 250

/** The same page with as many rows as a page may have. */
export const widest = (path: string): string =>
  path.replace(/(page(?:\[|%5B)limit(?:\]|%5D)=)\d+/i, `$1${LARGEST_PAGE}`)

const linkOf = (link: JsonValue | undefined): string | null =>
  typeof link === 'string' ? pathOf(link) : null

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

const readResource = (value: JsonValue | undefined): Resource => {
  const type = memberAt(value, 'type')
  const id = memberAt(value, 'id')
  const attributes = memberAt(value, 'attributes') ?? {}
  if (!isJsonObject(value) || typeof type !== 'string' || typeof id !== 'string') throw unreadable()
  if (!isJsonObject(attributes)) throw unreadable()
  return { type, id, attributes, raw: value }
}
