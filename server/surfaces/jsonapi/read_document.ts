// Reads the document of a write or an action. Each member is judged by its kind, and one answer reports all mistakes.
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { StrictJsonError } from '../../../shared/proof/strict_json.ts'
import { givenOrKnown, type Judging, judgeGiven, refuseNoted } from '../../catalog/perform.ts'
import { type Accepts, InsteadOfRunning, type Passed } from '../../contract/attribute.ts'
import { changesSomething } from '../../contract/operation.ts'
import { parsedJson } from '../../kernel/json_text.ts'
import { type Problem, problem } from '../../kernel/refusal.ts'
import { idempotencyKey, onceOf } from '../http/identify.ts'
import { invalidJson, readBody, readRequestJson } from '../http/read_body.ts'
import type { Exchange, JsonApiHouse } from './exchange.ts'
import { readShape } from './read_query.ts'

const NO_ARGUMENTS = Buffer.from('{"data":{}}')

/**
 * Reads the document, the shape and the Idempotency-Key of a write. It examines all of them before it throws, so that
 * one answer reports all mistakes.
 */
export async function readDocument(
  exchange: Exchange,
  { maxBodyBytes, related }: JsonApiHouse,
): Promise<void> {
  const { ctx, query, resource, operation, context, problems } = exchange
  if (context === undefined) return
  if (operation?.kind !== 'create' && operation?.kind !== 'update' && operation?.kind !== 'action') return
  const body = await readBody(ctx.req, maxBodyBytes)
  if (resource !== undefined)
    exchange.shape = problems.attempt(() => readShape(query, { resource, related }, problems))
  const key = changesSomething(operation) ? problems.attempt(() => idempotencyKey(ctx)) : undefined
  const judging = { operation, context, problems }
  if (body.length === 0 && operation.kind !== 'action')
    problems.note(problem('required', { path: ['', 'data'] }))
  else {
    const json = body.length === 0 ? NO_ARGUMENTS : body
    exchange.given = await givenOrKnown(() => readGiven(exchange, judging, json))
  }
  await refuseNoted(judging, exchange.given.attributes)
  if (key === undefined) return
  const once = await onceOf(`${ctx.method} ${ctx.path}`, key, context.tenant, body)
  exchange.context = { ...context, once }
}

/** Returns the attributes of `{data: {type, id?, attributes}}`, or the arguments of an action's `{data: {…}}`. */
async function readGiven(
  identified: Pick<Exchange, 'resource' | 'parameters'>,
  judging: Taking,
  body: Uint8Array,
): Promise<Passed<Accepts>> {
  const { operation, problems } = judging
  const document = problems.attempt(() => readDocumentJson(operation, body))
  if (document === undefined) return {}
  const data = isJsonObject(document) ? memberOf(document, 'data') : undefined
  const isAction = operation.kind === 'action'
  if (!isJsonObject(document) || !isJsonObject(data)) {
    const path = ['', 'data']
    const detail = isAction ? 'must be an object' : 'must be a resource object'
    problems.note(
      data === undefined ? problem('required', { path }) : problem('invalid_body', { path, detail }),
    )
    return {}
  }
  const given = await (isAction ? judgeGiven(judging, data) : readResource(identified, judging, data))
  problems.noteAll(unknownMembers(document, DOCUMENT_MEMBERS, []))
  return given
}

/** An operation that takes a document. */
interface Taking extends Judging {
  readonly operation: Extract<Judging['operation'], { readonly kind: 'create' | 'update' | 'action' }>
}

async function readResource(
  { resource, parameters }: Pick<Exchange, 'resource' | 'parameters'>,
  judging: Taking,
  data: JsonObject,
): Promise<Passed<Accepts>> {
  const { operation, problems } = judging
  const id = operation.kind === 'update' ? (parameters.id ?? '') : undefined
  problems.noteAll(identityProblems(data, resource?.type ?? '', id))
  const given = memberOf(data, 'attributes') ?? {}
  if (!isJsonObject(given))
    problems.note(problem('invalid_body', { path: ['', 'data', 'attributes'], detail: 'must be an object' }))
  const attributes = isJsonObject(given) ? await judgeGiven(judging, given) : {}
  problems.noteAll(unknownMembers(data, DATA_MEMBERS, ['data']))
  return attributes
}

/**
 * Parses the body with the strict reader. @throws invalid_json; InsteadOfRunning when the
 * refused value has an `outcome`
 */
function readDocumentJson({ accepts }: { readonly accepts: Accepts }, body: Uint8Array): JsonValue {
  try {
    return readRequestJson(body)
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error
    const [first, name = ''] = error.path
    const attribute = first === 'data' && Object.hasOwn(accepts, name) ? accepts[name] : undefined
    if (attribute?.outcome !== undefined && mayBeJson(error, body))
      throw new InsteadOfRunning(attribute.outcome(`is refused: ${error.message}`))
    throw invalidJson(error)
  }
}

/** The strict reader stops at the first thing it refuses, so the rest of the body is not known to be JSON. */
function mayBeJson({ reason }: StrictJsonError, body: Uint8Array): boolean {
  // The standard parser would build the large object that the ceiling exists to avoid.
  if (reason === 'too_many_members') return true
  return parsedJson(Buffer.from(body).toString('utf8')) !== undefined
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

/** @param id the id in the path, which one in the body must equal. Undefined on create, where the body has none. */
function* identityProblems(data: JsonObject, type: string, id: string | undefined): Generator<Problem> {
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
