// Reads request documents. Each member is judged by its kind, and one answer reports all mistakes.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import type { Accepts, Passed } from '../../contract/attribute.ts'
import type { Judged } from '../../contract/operation.ts'
import { readAttributes } from '../../contract/read_attributes.ts'
import type { Problems } from '../../kernel/problems.ts'
import { type Problem, problem } from '../../kernel/refusal.ts'

interface ExpectedDocument {
  readonly type: string
  /** The id in the path. An id in the body must equal it. Absent on create, where the body has no id. */
  readonly id?: string
  readonly accepts: Accepts
  readonly check: (attributes: Passed<Accepts>) => Judged
}

interface ExpectedAction {
  readonly accepts: Accepts
  readonly check: (given: Passed<Accepts>) => Judged
}

/**
 * Returns the arguments of an action's `{data: {…}}`. @throws Refusal when there are more
 * problems than one answer reports
 */
export async function readActionDocument(
  document: JsonValue,
  { accepts, check }: ExpectedAction,
  problems: Problems,
): Promise<Passed<Accepts>> {
  const data = isJsonObject(document) ? memberOf(document, 'data') : undefined
  if (!isJsonObject(document) || !isJsonObject(data)) return without(data, 'must be an object', problems)
  const given = readAttributes(data, accepts, problems, 'invalid_argument')
  problems.noteAll(await check(given))
  problems.noteAll(unknownMembers(document, DOCUMENT_MEMBERS, []))
  return given
}

/** Returns the accepted attributes of `{data: {type, id?, attributes}}`. @throws as `readActionDocument` */
export async function readResourceDocument(
  document: JsonValue,
  expected: ExpectedDocument,
  problems: Problems,
): Promise<Passed<Accepts>> {
  const data = isJsonObject(document) ? memberOf(document, 'data') : undefined
  if (!isJsonObject(document) || !isJsonObject(data))
    return without(data, 'must be a resource object', problems)
  problems.noteAll(identityProblems(data, expected))
  const given = memberOf(data, 'attributes') ?? {}
  if (!isJsonObject(given))
    problems.note(problem('invalid_body', { path: ['', 'data', 'attributes'], detail: 'must be an object' }))
  const attributes = isJsonObject(given) ? readAttributes(given, expected.accepts, problems) : {}
  if (isJsonObject(given)) problems.noteAll(await expected.check(attributes))
  problems.noteAll(unknownMembers(data, DATA_MEMBERS, ['data']))
  problems.noteAll(unknownMembers(document, DOCUMENT_MEMBERS, []))
  return attributes
}

/** Notes that the object to judge is missing or not an object. */
function without(data: JsonValue | undefined, detail: string, { note }: Problems): Passed<Accepts> {
  const path = ['', 'data']
  note(data === undefined ? problem('required', { path }) : problem('invalid_body', { path, detail }))
  return {}
}

const DOCUMENT_MEMBERS: ReadonlySet<string> = new Set(['data', 'jsonapi', 'links', 'meta', 'included'])

const DATA_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'id',
  'lid',
  'attributes',
  'relationships',
  'links',
  'meta',
])

function* identityProblems(data: JsonObject, { type, id }: ExpectedDocument): Generator<Problem> {
  const given = memberOf(data, 'type')
  if (given === undefined || given === null) yield problem('missing_type', { path: ['', 'data', 'type'] })
  else if (given !== type)
    yield problem('conflict', { path: ['', 'data', 'type'], detail: `must be ${type}` })
  const givenId = memberOf(data, 'id')
  if (givenId !== undefined && id === undefined)
    yield problem('invalid_body', { path: ['', 'data', 'id'], detail: 'ids are made by the service' })
  else if (givenId !== undefined && givenId !== id)
    yield problem('conflict', { path: ['', 'data', 'id'], detail: 'must equal the id in the path' })
  // Relationships cannot be written. A named one is refused, because ignoring it would leave
  // the client's change undone.
  const relationships = memberOf(data, 'relationships') ?? {}
  if (isJsonObject(relationships)) yield* unknownMembers(relationships, NONE, ['data', 'relationships'])
  else yield problem('invalid_body', { path: ['', 'data', 'relationships'], detail: 'must be an object' })
}

const NONE: ReadonlySet<string> = new Set()

function* unknownMembers(
  object: JsonObject,
  known: ReadonlySet<string>,
  at: readonly string[],
): Generator<Problem> {
  for (const name of Object.keys(object))
    if (!known.has(name)) yield problem('invalid_body', { path: ['', ...at, name] })
}
