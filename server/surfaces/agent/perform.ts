// Runs an operation of the catalog as a tool: judges the arguments as JSON:API does, charges the work, and writes the
// result.
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { memberOf } from '../../../shared/proof/json_value.ts'
import {
  type PublishedAction,
  type PublishedOperation,
  type PublishedResource,
  prepareBareRow,
} from '../../catalog/catalog.ts'
import { type Context, extended, openContext } from '../../catalog/context.ts'
import type { Accepts, Passed } from '../../contract/attribute.ts'
import { misread } from '../../contract/operation.ts'
import { findRow } from '../../contract/page.ts'
import { InsteadOfRunning, readAttributes, readId } from '../../contract/read_attributes.ts'
import { rateLimited } from '../../domain/limits/charge.ts'
import { isFailure } from '../../domain/utilities/read_action.ts'
import { objectText } from '../../kernel/json_text.ts'
import { collectProblems } from '../../kernel/problems.ts'
import { problem, type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { onceOf } from '../http/idempotency_key.ts'
import { readOwn, refuseUnknown, tenantArgument } from './read_arguments.ts'
import { type Performance, readRows, wholeAnswer } from './read_rows.ts'
import type { ToolCall, ToolResult } from './tool.ts'
import { isWrapped, type OfTool } from './tool_schemas.ts'

type Judging = Extract<PublishedOperation, { readonly kind: 'create' | 'update' }> | PublishedAction

/** @throws Refusal */
export async function perform({ operation, resource }: OfTool, call: ToolCall): Promise<ToolResult> {
  const { house, caller, args, signal, progress } = call
  const of = { operation, resource }
  const turn =
    operation.kind === 'list' ? await house.admission.listTurn(call.lasting, caller.userId) : undefined
  const context = await openContext(
    { ...house, signal, progress, ...(turn === undefined ? {} : { turn }) },
    caller,
    tenantArgument(of, args),
    operation.access === 'read' ? 'read' : 'write',
  )
  const problems = collectProblems(house.services.ceilings.problems)
  const performance: Performance = { call, context, problems, own: readOwn(of, args, problems) }
  if (operation.kind === 'action') return act(performance, operation)
  if (resource === undefined) throw refuse('no_route_found')
  if (operation.kind === 'read') return read(performance, operation)
  if (operation.kind === 'list') {
    refuseUnknown(performance.own.rest, problems)
    return { json: await readRows(performance, resource), failed: false }
  }
  const row = await resultingRow(performance, resource, operation)
  const shown = await prepareBareRow(resource, context, row, performance.own.also)
  return answered(performance, objectText(shown))
}

async function resultingRow(
  performance: Performance,
  resource: PublishedResource,
  operation: Exclude<PublishedOperation, { readonly kind: 'list' | 'read' }>,
): Promise<object> {
  const { context, own, problems } = performance
  switch (operation.kind) {
    case 'get': {
      refuseUnknown(own.rest, problems)
      problems.refuse()
      const shows = (field: string) => resource.fields[field]?.onRequest !== true || own.also.has(field)
      const row = operation.find
        ? await operation.find(context)
        : await findRow(context.em, resource, context, readId(own.id), shows)
      if (row === undefined) throw refuse('not_found')
      return row
    }
    case 'create': {
      const attributes = await judge(performance, operation, 'invalid_attribute')
      await chargeWork(performance, operation, attributes)
      return operation.run(await withOnce(performance, operation), attributes)
    }
    case 'update': {
      const attributes = await judge(performance, operation, 'invalid_attribute')
      return operation.run(context, readId(own.id), attributes)
    }
    case 'delete':
      refuseUnknown(own.rest, problems)
      problems.refuse()
      return operation.run(context, readId(own.id))
    case 'mutate':
      throw new Error(`${operation.name} is published on GraphQL only.`)
    default:
      return operation satisfies never
  }
}

async function act(performance: Performance, operation: PublishedAction): Promise<ToolResult> {
  const { call, own } = performance
  const outcome = async (): Promise<unknown> => {
    let attributes: Passed<Accepts>
    try {
      attributes = await judge(performance, operation, 'invalid_argument')
    } catch (error) {
      if (error instanceof InsteadOfRunning) return error.result
      throw error
    }
    await chargeWork(performance, operation, attributes)
    return operation.run(await withOnce(performance, operation), attributes, readId(own.id))
  }
  const result = await outcome()
  if (operation.answers !== undefined) {
    const resource = call.house.related(operation.answers)
    return answered(performance, objectText(await prepareBareRow(resource, performance.context, result)))
  }
  if (isWrapped(operation.result) || typeof result !== 'object' || result === null)
    return answered(performance, objectText({ result }))
  const answer = answered(performance, objectText({ ...result }))
  return isFailure(result) ? { ...answer, failed: true, codes: [result.code] } : answer
}

async function read(
  { call, context, own, problems }: Performance,
  operation: Extract<PublishedOperation, { readonly kind: 'read' }>,
): Promise<ToolResult> {
  const parameters: Record<string, string> = {}
  for (const [name, parameter] of Object.entries(operation.parameters)) {
    const given = memberOf(call.args, name) ?? undefined
    const value = typeof given === 'string' ? parameter.read(given) : undefined
    if (given === undefined) problems.note(problem('required', { path: [name] }))
    else if (value === undefined)
      problems.note(problem('invalid_argument', { path: [name], detail: misread(parameter) }))
    else parameters[name] = value
  }
  refuseUnknown(own.rest, problems)
  problems.refuse()
  const shown = await operation.run(context, parameters)
  return { json: wholeAnswer(objectText({ ...shown }), context.services.ceilings), failed: false }
}

const answered = ({ context }: Performance, text: string) =>
  ({ json: wholeAnswer(text, context.services.ceilings), failed: false }) as const

/** @throws a Refusal with every mistake in the arguments; InsteadOfRunning */
async function judge(
  { context, own, problems }: Performance,
  operation: Judging,
  wrong: RefusalCode,
): Promise<Passed<Accepts>> {
  const attributes = readAttributes(own.rest, operation.accepts, problems, wrong)
  problems.noteAll((await operation.check?.(attributes, context)) ?? [])
  if (problems.all().length > 0 && 'wouldRefuse' in operation)
    problems.noteAll((await operation.wouldRefuse?.(attributes, context)) ?? [])
  problems.refuse()
  return attributes
}

/** Charges what the call weighs beyond the one unit that every call costs. @throws rate_limited */
async function chargeWork(
  { call }: Performance,
  operation: Exclude<Judging, { readonly kind: 'update' }>,
  attributes: Passed<Accepts>,
): Promise<void> {
  const beyondOne = (operation.weigh?.((name) => attributes[name]) ?? 1) - 1
  if (beyondOne <= 0) return
  const charge = await call.house.door.work(call.caller, beyondOne)
  if (!charge.allowed) throw rateLimited(charge)
}

/** Two calls are the same when their arguments are, whatever the order of their names. */
async function withOnce({ context, own }: Performance, { name }: Pick<Judging, 'name'>): Promise<Context> {
  const { idempotencyKey: key, rest } = own
  if (key === undefined) return context
  const once = await onceOf(name, key, context.tenant, Buffer.from(canonicalJson(rest)))
  return extended(context, { once })
}
