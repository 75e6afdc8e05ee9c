// Request documents: the strict reader first, then every member judged by its kind, all mistakes told at once.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import type { Attribute, Attributes, Judged } from '../../contract/operation.ts'
import { readAttributes } from '../../contract/read_attributes.ts'
import { type Problem, problem, Refusal, refuse, refuseAny } from '../../kernel/refusal.ts'

export interface ExpectedDocument {
  readonly type: string
  /** The id in the path, which an id in the body must equal; absent on create, where the body has none. */
  readonly id?: string
  readonly accepts: Readonly<Record<string, Attribute>>
  readonly check: (attributes: Attributes) => Judged
}

export interface ExpectedAction {
  readonly accepts: Readonly<Record<string, Attribute>>
  readonly check: (given: Attributes) => Judged
}

/** The arguments of an action's `{data: {…}}`. @throws every problem found */
export async function readActionDocument(
  document: JsonValue,
  { accepts, check }: ExpectedAction,
): Promise<Attributes> {
  const data = isJsonObject(document) ? memberOf(document, 'data') : undefined
  if (!isJsonObject(document) || data === undefined) throw refuse('required', { path: ['', 'data'] })
  if (!isJsonObject(data)) throw refuse('invalid_body', { path: ['', 'data'], detail: 'must be an object' })
  const problems = [...unknownMembers(document, DOCUMENT_MEMBERS, [])]
  const given = readAttributes(data, accepts, problems, 'invalid_argument')
  problems.push(...(await check(given)))
  refuseAny(problems)
  return given
}

/** The accepted attributes of `{data: {type, id?, attributes}}`. @throws every problem found */
export async function readResourceDocument(
  document: JsonValue,
  expected: ExpectedDocument,
): Promise<Attributes> {
  const data = isJsonObject(document) ? memberOf(document, 'data') : undefined
  if (!isJsonObject(document) || data === undefined) throw refuse('required', { path: ['', 'data'] })
  if (!isJsonObject(data))
    throw refuse('invalid_body', { path: ['', 'data'], detail: 'must be a resource object' })
  const problems = [...unknownMembers(document, DOCUMENT_MEMBERS, []), ...identityProblems(data, expected)]
  const given = memberOf(data, 'attributes') ?? {}
  if (!isJsonObject(given)) {
    const detail = 'must be an object'
    throw new Refusal([...problems, problem('invalid_body', { path: ['', 'data', 'attributes'], detail })])
  }
  const attributes = readAttributes(given, expected.accepts, problems)
  problems.push(...(await expected.check(attributes)))
  refuseAny(problems)
  return attributes
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
  yield* unknownMembers(data, DATA_MEMBERS, ['data'])
  // No relationship can be written: one that is named is refused rather than quietly left undone.
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
