// Judges an operation step by step, and runs it: its text, budget, scope, tenant, rules and weight.
import { GraphQLError, type GraphQLSchema } from 'graphql'
import type Koa from 'koa'
import { type Door, rateLimitHeaders } from '../../../admission/door.ts'
import type { Catalog } from '../../../catalog/catalog.ts'
import { type ContextParts, openContext } from '../../../catalog/context.ts'
import type { Turn } from '../../../contract/expensive_reads.ts'
import type { Caller } from '../../../domain/accounts/caller.ts'
import type { Scope } from '../../../domain/accounts/scope.ts'
import { type Charge, rateLimited } from '../../../domain/limits/charge.ts'
import { present } from '../../../kernel/present.ts'
import { setHeaders } from '../../../kernel/set_headers.ts'
import { refuseMethod } from '../../http/error_document.ts'
import {
  API_SCOPE_OF,
  idempotencyKey,
  noteOperation,
  onceOf,
  requestedTenant,
  requireScopes,
} from '../../http/identify.ts'
import { eachOnce, type GraphqlContext, requestContext } from '../schema/graphql_context.ts'
import { utilityNames } from '../schema/root_mutations.ts'
import { type ReadText, readEachOnce } from '../schema/scalars.ts'
import {
  type AskedOperation,
  judgeOperation,
  type ParsedOperation,
  parseOperation,
} from './prepare_operation.ts'
import { asksOnlyFor, operationName, rootFields, weighedOperations, weighOperation } from './root_fields.ts'
import { type Ran, runOperation } from './run_operation.ts'

/**
 * Returns a function that tells the scopes of an operation. Fields that do not exist, and those of introspection,
 * need what every query or mutation needs. Fields that a directive skips count too.
 */
function neededScopes({ operations }: Catalog): (parsed: ParsedOperation) => readonly Scope[] {
  const ofAccount = new Set(
    operations.flatMap(({ operation }) => (operation.access === 'account' ? [operation.graphql] : [])),
  )
  return (parsed) => {
    const usual = parsed.operation.operation === 'mutation' ? 'write' : 'read'
    const needed = new Set(
      rootFields(parsed).map(({ name }) => API_SCOPE_OF[ofAccount.has(name.value) ? 'account' : usual]),
    )
    return needed.size === 0 ? [API_SCOPE_OF[usual]] : [...needed].sort()
  }
}

export interface OperationHouse extends ContextParts {
  readonly schema: GraphQLSchema
  readonly catalog: Catalog
  readonly door: Door
}

/** A request whose caller is known, and whose body was read. */
export interface KnownRequest {
  readonly ctx: Koa.Context
  readonly caller: Caller
  /** Set when the caller's budget is spent. Only utilities may continue; they report it themselves. */
  readonly overBudget: Charge | undefined
  readonly body: Buffer
  readonly turn: Turn
}

export interface Performed extends Partial<Ran> {
  readonly isMutation: boolean
  /** The errors of an operation that was not executed. */
  readonly refused?: readonly unknown[]
}

/** @throws Refusal for what is refused before the operation is looked at, and InsufficientScope */
type Perform = (request: KnownRequest, asked: AskedOperation) => Promise<Performed>

export function performOperations(house: OperationHouse): Perform {
  const { schema, catalog, door } = house
  const most = house.services.ceilings.problems
  const utilities = utilityNames(catalog.actions)
  const scopesOf = neededScopes(catalog)
  const weighed = weighedOperations(catalog)

  return async (request, asked) => {
    const { ctx, caller } = request
    let { overBudget } = request
    let parsed: ParsedOperation
    try {
      parsed = parseOperation(asked)
    } catch (error) {
      await admitUnread(house, request)
      return { isMutation: false, refused: [error] }
    }
    if (overBudget !== undefined && !asksOnlyFor(parsed, utilities)) throw rateLimited(overBudget)
    const isMutation = parsed.operation.operation === 'mutation'
    if (isMutation && ctx.method !== 'POST') refuseMethod(ctx, 'POST', 'mutations are taken over POST only')
    if (overBudget === undefined) {
      requireScopes(caller, scopesOf(parsed))
      await requireTenant(house, request)
    }
    const wrong =
      parsed.operation.operation === 'subscription'
        ? [new GraphQLError('subscriptions are taken over WebSocket, at this address')]
        : judgeOperation(schema, parsed, most)
    if (wrong.length > 0) {
      if (overBudget !== undefined) throw rateLimited(overBudget)
      return { isMutation, refused: wrong }
    }
    noteOperation(ctx, operationName(parsed))
    const readText = readEachOnce()
    const units = overBudget === undefined ? weighOperation(schema, parsed, weighed, readText) : 0
    const charge = units === 0 ? undefined : await door.work(caller, units)
    if (charge?.allowed === false) {
      setHeaders(ctx.res, rateLimitHeaders(charge))
      if (!asksOnlyFor(parsed, utilities)) throw rateLimited(charge)
      overBudget = charge
    }
    const context = await openOperation(house, { ...request, overBudget }, parsed, readText)
    return { isMutation, ...(await runOperation(schema, parsed, context)) }
  }
}

/** The context of its resolvers. @throws Refusal of the tenant or of the Idempotency-Key */
async function openOperation(
  house: OperationHouse,
  { ctx, caller, overBudget, body, turn }: KnownRequest,
  { operation, document }: ParsedOperation,
  readText: ReadText,
): Promise<GraphqlContext> {
  const isMutation = operation.operation === 'mutation'
  const tenant = overBudget === undefined ? tenantOf(ctx) : undefined
  const context = await openContext({ ...house, turn }, caller, tenant, isMutation ? 'write' : 'read')
  const key = isMutation ? idempotencyKey(ctx) : undefined
  const once =
    key === undefined ? undefined : await onceOf(`${ctx.method} ${ctx.path}`, key, context.tenant, body)
  return requestContext(house.catalog, context, document, {
    readText,
    ...present({ overBudget, nextOnce: once && eachOnce(once) }),
  })
}

/**
 * Admits a request that has no operation which could run. A spent budget is its whole answer; scope and tenant are
 * checked for every other one. @throws as `Perform`
 */
export async function admitUnread(house: ContextParts, request: KnownRequest): Promise<void> {
  if (request.overBudget !== undefined) throw rateLimited(request.overBudget)
  requireScopes(request.caller, ['api:read'])
  await requireTenant(house, request)
}

/** @throws invalid_tenant, forbidden_tenant */
async function requireTenant(house: ContextParts, { ctx, caller }: KnownRequest): Promise<void> {
  const tenant = tenantOf(ctx)
  if (tenant !== undefined) await openContext(house, caller, tenant, 'read')
}

const tenantOf = (ctx: Koa.Context): string | undefined =>
  requestedTenant(ctx, new URLSearchParams(ctx.querystring))
