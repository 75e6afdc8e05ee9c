// The tools that follow from the catalog, in its order. A call of one is judged and charged as on JSON:API, and run.
import { canonicalJson, memberOf } from '../../../shared/proof/json_value.ts'
import {
  type Catalog,
  type Published,
  type PublishedResource,
  prepareBareRow,
} from '../../catalog/catalog.ts'
import { type Context, openContext } from '../../catalog/context.ts'
import {
  findAsked,
  givenOrKnown,
  judgeGiven,
  type ListCollaborators,
  readParameters,
  refuseNoted,
  runAction,
  runWrite,
  unitsBeyondOne,
} from '../../catalog/perform.ts'
import type { Accepts, Passed } from '../../contract/attribute.ts'
import type { NamedTool } from '../../contract/operation.ts'
import { type PageRequest, readPage } from '../../contract/page.ts'
import { bareRow } from '../../contract/resource.ts'
import { responseTooLarge, roomOf, type Shows } from '../../contract/row_columns.ts'
import { rateLimited } from '../../domain/limits/charge.ts'
import { isFailure } from '../../domain/utilities/read_action.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { JsonParts, listParts, objectText } from '../../kernel/json_text.ts'
import { collectProblems } from '../../kernel/problems.ts'
import { found, refuse } from '../../kernel/refusal.ts'
import { onceOf } from '../http/identify.ts'
import { type OwnArguments, ownNames, readOwn, readPageArguments, tenantArgument } from './read_arguments.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'
import { inputSchema, isWrapped, outputSchema } from './tool_schemas.ts'

/** @param wait how long a proof takes, in words */
export const catalogTools = ({ operations, related }: Catalog, wait = ''): readonly Tool[] =>
  operations.flatMap((of) => {
    const { tool, doc, access } = of.operation
    if (tool === undefined) return []
    const names = ownNames(of)
    return Object.freeze({
      name: tool.name,
      title: tool.title,
      description: `${tool.doc ?? doc}${tool.tellsWait === true ? ` ${wait}` : ''}`.trim(),
      access: access === 'read' ? 'read' : 'write',
      inputSchema: inputSchema(of),
      outputSchema: outputSchema(of, related),
      annotations: annotationsOf(of, tool),
      run: (call) => perform(of, names, call),
    } satisfies Tool)
  })

/** Creating adds only. Changing and removing replace what is there, and a second time there is nothing left to do. */
function annotationsOf({ operation }: Published, { title, openWorld }: NamedTool): Tool['annotations'] {
  const isRead = operation.access === 'read'
  const replaces = operation.kind === 'update' || operation.kind === 'delete'
  return {
    title,
    readOnlyHint: isRead,
    destructiveHint: !isRead && replaces,
    idempotentHint: isRead || replaces,
    openWorldHint: openWorld === true,
  }
}

/** @throws Refusal */
async function perform(of: Published, names: ReadonlySet<string>, call: ToolCall): Promise<ToolResult> {
  const { operation, resource } = of
  const { house, caller, args, signal, progress } = call
  const { ceilings } = house.services
  const turn =
    operation.kind === 'list' ? await house.admission.listTurn(call.lasting, caller.userId) : undefined
  const context = await openContext(
    { ...house, signal, progress, ...(turn === undefined ? {} : { turn }) },
    caller,
    tenantArgument(of, args),
    operation.access === 'read' ? 'read' : 'write',
  )
  const problems = collectProblems(ceilings.problems)
  const own = readOwn(of, names, args, problems)
  const parameters: Readonly<Record<string, string>> =
    operation.kind === 'read' ? readParameters(operation, (name) => memberOf(args, name), problems.note) : {}
  const judging = { operation, context, problems }
  const given = await givenOrKnown(() => judgeGiven(judging, own.rest))
  const answered = (value: Readonly<Record<string, unknown>>) =>
    ({ json: wholeAnswer(objectText(value), ceilings), failed: false }) as const
  if (operation.kind === 'list' && resource !== undefined) {
    const collaborators = { resource, context, related: house.related }
    const request = readPageArguments(args, collaborators, problems)
    return { json: await readRows(call, collaborators, own, request), failed: false }
  }
  await refuseNoted(judging, given.attributes)
  await chargeWork(call, operation, given.attributes)
  const once = await withOnce(context, operation, own)
  if (operation.kind === 'action') {
    const result = await runAction(operation, once, given, own.id)
    if (operation.answers !== undefined)
      return answered(await prepareBareRow(house.related(operation.answers), context, result))
    if (isWrapped(operation.result) || typeof result !== 'object' || result === null)
      return answered({ result })
    const answer = answered({ ...result })
    return isFailure(result) ? { ...answer, failed: true, codes: [result.code] } : answer
  }
  if (resource === undefined || operation.kind === 'list') throw refuse('no_route_found')
  if (operation.kind === 'read') return answered({ ...(await operation.run(context, parameters)) })
  const { id, also } = own
  const row =
    operation.kind === 'get'
      ? await findAsked({ operation, resource }, context, { id, shows: showsWith(resource, also) })
      : await runWrite(operation, once, { attributes: given.attributes, id })
  return answered(await prepareBareRow(resource, context, found(row), also))
}

/** Charges what the call weighs beyond the one unit that every call costs. @throws rate_limited */
async function chargeWork(
  { house, caller }: ToolCall,
  operation: Published['operation'],
  attributes: Passed<Accepts>,
): Promise<void> {
  const units = unitsBeyondOne(operation, attributes)
  if (units === 0) return
  const charge = await house.door.work(caller, units)
  if (!charge.allowed) throw rateLimited(charge)
}

/** Two calls are the same when their arguments are, whatever the order of their names. */
async function withOnce(
  context: Context,
  { name }: Published['operation'],
  { idempotencyKey: key, rest }: OwnArguments,
): Promise<Context> {
  if (key === undefined) return context
  const once = await onceOf(name, key, context.tenant, Buffer.from(canonicalJson(rest)))
  return { ...context, once }
}

/** Bytes that are reserved for the message around the result. */
const ENVELOPE_BYTES = 4_096

/** The bytes that all texts of one result may have, as `sizeOf` counts them. */
const roomFor = ({ response_bytes }: Ceilings): number => Math.max(0, response_bytes - ENVELOPE_BYTES)

/** The bytes of a JSON text, plus those of the same text as a JSON string. */
const sizeOf = (text: string): number => Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text))

/** @throws response_too_large */
function wholeAnswer(text: string, ceilings: Ceilings): JsonParts {
  if (sizeOf(text) > roomFor(ceilings)) throw responseTooLarge(ceilings)
  return new JsonParts([text])
}

const showsWith =
  ({ fields }: PublishedResource, also: ReadonlySet<string>): Shows =>
  (name) =>
    fields[name]?.onRequest !== true || also.has(name)

/** @throws response_too_large when the first row does not fit */
async function readRows(
  { house: { cursors } }: ToolCall,
  { resource, context }: ListCollaborators,
  { also }: OwnArguments,
  request: PageRequest,
): Promise<JsonParts> {
  const { ceilings } = context.services
  const room = { ...roomOf(ceilings), bytes: roomFor(ceilings) / 2 }
  const page = await readPage({ cursors, shows: showsWith(resource, also), room }, resource, context, request)
  await resource.prepare(page.rows, context)
  const texts: string[] = []
  let left = roomFor(ceilings)
  for (const row of page.rows) {
    const text = objectText(bareRow(resource, context, row, also))
    left -= sizeOf(text) + 2
    if (left < 0) break
    texts.push(text)
    const pause = context.yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  if (texts.length === 0 && page.rows.length > 0) throw responseTooLarge(ceilings)
  const { next } = texts.length < page.rows.length ? page.cutTo(texts.length) : page
  return new JsonParts(['{"data":', ...listParts(texts), `,"next":${JSON.stringify(next)}}`])
}
