// The language in which action-style reads are described: every surface derives its route, query or tool from one row.
import type { EntityManager } from '@mikro-orm/postgresql'
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'

/** JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>

export interface Argument {
  /** On JSON:API and for agents, e.g. `hash_type`. */
  readonly name: string
  /** On GraphQL, e.g. `hashType`. */
  readonly graphql: string
  readonly value: ArgumentValue
  readonly required: boolean
  readonly doc: string
}

/** What kind of value it is, and how much of it is taken. */
export type ArgumentValue =
  | { readonly kind: 'text'; readonly characters: number }
  /** `refused` answers what stands in the result's place when there is no such object in the request, and why. */
  | { readonly kind: 'object'; readonly bytes: number; readonly refused?: (why: string) => object }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }

/** As much as a request can bring: what is only hashed, parsed or looked up has no ceiling of its own. */
export const LONGEST_ARGUMENT = 528_384

const ANY_TEXT: ArgumentValue = Object.freeze({ kind: 'text', characters: LONGEST_ARGUMENT })

export interface Collaborators {
  readonly em: EntityManager
}

/** Who asks, as far as actions need to know. */
export interface Asking {
  readonly userId: string
}

export interface Action {
  /** The last part of the path, e.g. `verify-hash`. */
  readonly name: string
  /** The operation's id in documents and the GraphQL query's name, e.g. `verifyHash`. */
  readonly operation: string
  /** The agent tool's name, e.g. `verify_hash`. */
  readonly tool: string
  /** Method and path below `/api/json`. */
  readonly http: `POST /${string}`
  readonly doc: string
  readonly access: 'read'
  readonly arguments: readonly Argument[]
  /** Of a good result; a failure object may stand in its place. */
  readonly result: Schema
  readonly example: { readonly arguments: JsonObject; readonly result: JsonObject }
  /** Arguments are those of the table, present where required and of their kind; null and undefined count as absent. */
  readonly run: (collaborators: Collaborators, asking: Asking, given: Given) => Promise<object>
}

/** What a surface read: by argument name, nothing else in it. */
export type Given = JsonObject

/** An error here is a fault of the surface, which checks before it calls. */
export function requiredText(given: Given, name: string): string {
  const text = optionalText(given, name)
  if (text === undefined) throw missing(name)
  return text
}

export function optionalText(given: Given, name: string): string | undefined {
  const value = present(given, name)
  if (value === undefined || typeof value === 'string') return value
  throw new Error(`The argument ${name} was let through although it is no text.`)
}

export function optionalInteger(given: Given, name: string): number | undefined {
  const value = present(given, name)
  if (value === undefined || typeof value === 'number') return value
  // An integer that no double holds came as a bigint: it is out of every range we have.
  if (typeof value === 'bigint') return Number(value)
  throw new Error(`The argument ${name} was let through although it is no number.`)
}

export function requiredObject(given: Given, name: string): JsonObject {
  const value = present(given, name)
  if (value === undefined) throw missing(name)
  if (!isJsonObject(value)) throw new Error(`The argument ${name} was let through although it is no object.`)
  return value
}

/** Frozen; every name in it is a literal, so that searching for one finds it. */
export const action = (parts: Action): Action => Object.freeze(parts)

export const argument = (
  name: string,
  doc: string,
  parts: { graphql?: string; value?: ArgumentValue; optional?: true } = {},
): Argument =>
  Object.freeze({
    name,
    graphql: parts.graphql ?? name,
    value: parts.value ?? ANY_TEXT,
    required: parts.optional !== true,
    doc,
  })

/**
 * The schema of an object with exactly these members; a name that ends in `?` may be absent.
 * @param title what the document calls it; needed where it is one of several alternatives
 */
export function resultOf(members: Readonly<Record<string, Schema>>, title?: string): Schema {
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema])
  const required = Object.keys(members).filter((name) => !name.endsWith('?'))
  return Object.freeze({
    ...(title === undefined ? {} : { title }),
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
  })
}

export const textMember = (description: string): Schema => ({ type: 'string', description })

export const wholeMember = (description: string): Schema => ({ type: 'integer', description })

const present = (given: Given, name: string): JsonValue | undefined => memberOf(given, name) ?? undefined

const missing = (name: string): Error =>
  new Error(`The argument ${name} is required, and was let through without.`)
