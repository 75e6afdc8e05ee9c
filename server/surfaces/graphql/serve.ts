// GraphQL over HTTP at /gql, with both media types of its specification. Problems appear in `errors`.
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { execute, GraphQLError, type GraphQLSchema, getOperationAST } from 'graphql'
import { createHandler } from 'graphql-http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Services } from '../../catalog/context.ts'
import { openContext } from '../../catalog/open_context.ts'
import { responseTooLarge } from '../../contract/row_columns.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import { type Breathe, inPieces } from '../../kernel/in_pieces.ts'
import type { JsonParts } from '../../kernel/json_parts.ts'
import type { Log } from '../../kernel/log.ts'
import { type RefusalCode, refuse } from '../../kernel/refusal.ts'
import type { Store } from '../../store/open_store.ts'
import { type Admission, hasLargeBody } from '../http/admission.ts'
import type { Guarded } from '../http/challenge.ts'
import { type Door, requireCharge } from '../http/charge_request.ts'
import { checkContentEncoding } from '../http/content_encoding.ts'
import type { Drain } from '../http/drain.ts'
import { idempotencyKey, onceOf } from '../http/idempotency_key.ts'
import { type Authenticate, identify, requestedTenant } from '../http/identify.ts'
import { answerInsufficientScope, InsufficientScope, requireScopes } from '../http/insufficient_scope.ts'
import { rateLimitHeaders } from '../http/rate_limit_headers.ts'
import { checkDeclaredLength, checkLengthRule, readBody } from '../http/read_body.ts'
import { readJson } from '../http/read_json.ts'
import { refuseWith } from '../http/refuse_with.ts'
import { answerParts } from './answer_parts.ts'
import { eachOnce, type GraphqlContext } from './graphql_context.ts'
import { readEachOnce } from './json_texts.ts'
import { neededScopes } from './needed_scopes.ts'
import { weighedOperations, weighOperation } from './operation_weight.ts'
import { judgeOperation, parseOperation } from './prepare_operation.ts'
import { requestContext } from './request_context.ts'
import { utilityNames } from './root_actions.ts'
import { asksOnlyFor, operationName as nameOfOperation } from './root_fields.ts'
import { graphqlErrors, tellErrors } from './tell_errors.ts'

export interface GraphqlHouse {
  readonly schema: GraphQLSchema
  readonly catalog: Catalog
  readonly maxBodyBytes: number
  readonly store: Store
  readonly services: Services
  readonly authenticate: Authenticate
  /** The public origin. It is available once the server listens. */
  readonly base: () => string
  /** When absent, nothing is charged. */
  readonly door?: Door
  readonly drain: Drain
  readonly admission: Admission
  readonly log: Log
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

/** Larger answers are sent in parts. */
const ONE_WRITE_BYTES = 65_536

/** Stands in for the data in the handler's output. Its random name cannot occur elsewhere in the output. */
const DATA_PLACE = Object.freeze({ [randomUUID()]: 0 })
const DATA_PLACE_TEXT = JSON.stringify(DATA_PLACE)

/** The codes and details for answers of the handler that consist only of a status. */
const REFUSED: Readonly<Record<number, { readonly code: RefusalCode; readonly detail: string }>> = {
  406: {
    code: 'not_acceptable',
    detail: 'application/graphql-response+json and application/json are served',
  },
  415: { code: 'unsupported_media_type', detail: 'use application/json' },
}

/**
 * Has the same members as GraphqlContext. graphql-http needs a type alias here, because an interface has no
 * implicit index signature.
 */
type ContextValue = Pick<GraphqlContext, keyof GraphqlContext>

/** The state that the steps of one request share. */
interface Exchange {
  readonly ctx: Koa.Context
  readonly caller: Caller
  /** Set when the caller's budget is spent. Only utilities may continue; they report it themselves. */
  readonly overBudget: Charge | undefined
  readonly body: Uint8Array
  /** True once scopes and tenant were checked. */
  judged: boolean
  /** True once the operation was allowed to run. */
  admitted: boolean
  breathe: Breathe
  /** The data, which is already written. The handler's output contains a placeholder for it. */
  data?: JsonParts
}

/** Answers every request at /gql. It never throws: a fault of ours becomes a 500 with a body. */
export function serveGraphql(house: GraphqlHouse): Middleware {
  const { schema, catalog, maxBodyBytes, log, door } = house
  const { ceilings } = house.services
  const most = ceilings.problems
  const utilities = utilityNames(catalog.actions)
  const scopesOf = neededScopes(catalog)
  const guarded: Guarded = { resource: 'api', base: house.base }
  const weighed = weighedOperations(catalog)
  const handle = createHandler<Exchange, undefined, Record<PropertyKey, unknown>>({
    execute,
    onSubscribe: async ({ raw: exchange }, { query, operationName, variables }) => {
      const asked = { query, operationName: operationName ?? undefined, variables: variables ?? {} }
      let parsed: ReturnType<typeof parseOperation>
      try {
        parsed = parseOperation(asked)
      } catch (error) {
        return tellErrors([error], log, most)
      }
      const { document, operation } = parsed
      const { ctx, caller, body } = exchange
      let { overBudget } = exchange
      if (overBudget !== undefined && !asksOnlyFor(parsed, utilities)) throw rateLimited(overBudget)
      if (operation.operation === 'mutation') {
        if (ctx.method !== 'POST') {
          ctx.set('Allow', 'POST')
          throw refuse('method_not_allowed', { detail: 'mutations are taken over POST only' })
        }
      }
      if (overBudget === undefined) {
        requireScopes(caller, scopesOf(parsed))
        await requireTenant(ctx, caller)
      }
      exchange.judged = true
      if (operation.operation === 'subscription')
        return tellErrors(
          [new GraphQLError('subscriptions are taken over WebSocket, at this address')],
          log,
          most,
        )
      const wrong = judgeOperation(schema, parsed, most)
      if (wrong.length > 0) return tellErrors(wrong, log, most)
      ctx.state.operation = nameOfOperation(parsed)
      ctx.state.answered = { ...ctx.state.answered, operation: ctx.state.operation }
      const readText = readEachOnce()
      const units = overBudget === undefined ? weighOperation(schema, parsed, weighed, readText) : 0
      const charge = units === 0 ? undefined : await door?.work(caller, units)
      if (charge?.allowed === false) {
        ctx.set(rateLimitHeaders(charge))
        if (!asksOnlyFor(parsed, utilities)) throw rateLimited(charge)
        overBudget = charge
      }
      exchange.admitted = true
      const isMutation = operation.operation === 'mutation'
      const context = await openContext(
        house,
        caller,
        overBudget === undefined ? tenantOf(ctx) : undefined,
        isMutation ? 'write' : 'read',
      )
      const key = isMutation ? idempotencyKey(ctx) : undefined
      const once =
        key === undefined ? undefined : await onceOf(`${ctx.method} ${ctx.path}`, key, context.tenant, body)
      const contextValue: ContextValue = requestContext(catalog, context, document, {
        readText,
        ...(overBudget === undefined ? {} : { overBudget }),
        ...(once === undefined ? {} : { nextOnce: eachOnce(once) }),
      })
      exchange.breathe = context.breathe
      return { schema, document, operationName, variableValues: variables, contextValue }
    },
    onOperation: async ({ raw: exchange }, { document, operationName }, result) => {
      const parts = await answerParts(result.data, ceilings.response_bytes, exchange.breathe)
      if (parts === undefined) {
        const isMutation = getOperationAST(document, operationName)?.operation === 'mutation'
        const tooLarge = responseTooLarge(
          ceilings,
          isMutation ? 'done, but its answer would be too large' : undefined,
        )
        return { data: null, errors: tellErrors([tooLarge], log, most) }
      }
      const answer = result.errors ? { ...result, errors: tellErrors(result.errors, log, most) } : result
      // Absent data stays absent.
      if (result.data === undefined) return answer
      exchange.data = parts
      return { ...answer, data: DATA_PLACE }
    },
    // Converts errors that the handler found itself, such as a body that is not a GraphQL request.
    formatError: (error) =>
      tellErrors([error instanceof GraphQLError ? error : new GraphQLError(error.message)], log, most)[0] ??
      error,
  })

  /** @throws invalid_tenant, forbidden_tenant */
  const requireTenant = async (ctx: Koa.Context, caller: Caller): Promise<void> => {
    const tenant = tenantOf(ctx)
    if (tenant !== undefined) await openContext(house, caller, tenant, 'read')
  }

  const answer = async (ctx: Koa.Context): Promise<void> => {
    if (door !== undefined) requireCharge(ctx, await door.address(ctx))
    checkDeclaredLength(ctx.req, maxBodyBytes)
    await checkLengthRule(ctx.req)
    let overBudget: Charge | undefined
    const caller = await identify(ctx, { ...guarded, authenticate: house.authenticate }, async (known) => {
      if (door === undefined) return
      const charge = await door.caller(ctx, known)
      ctx.set(rateLimitHeaders(charge))
      if (!charge.allowed && (known === undefined || !METHODS.has(ctx.method))) throw rateLimited(charge)
      if (!charge.allowed) overBudget = charge
    })
    if (!METHODS.has(ctx.method)) {
      ctx.set('Allow', [...METHODS].join(', '))
      throw refuse('method_not_allowed')
    }
    const isLarge = hasLargeBody(ctx.req)
    // A large body is refused unread when the budget is spent, because reading it would be the
    // work that the budget limits.
    if (overBudget !== undefined && isLarge) throw rateLimited(overBudget)
    if (ctx.method === 'POST') checkContentEncoding(ctx)
    const { admission } = house
    admission.admit(ctx.res, caller.userId)
    // The turn starts after reading the body, so that a slow sender does not hold it. A large body
    // needs the turn for reading.
    if (isLarge) await admission.turn(ctx.res, caller.userId)
    const body = ctx.method === 'POST' ? await readBody(ctx.req, maxBodyBytes) : Buffer.alloc(0)
    if (!isLarge) await admission.turn(ctx.res, caller.userId)
    const exchange: Exchange = {
      ctx,
      caller,
      overBudget,
      body,
      judged: false,
      admitted: false,
      breathe: inPieces(() => false),
    }
    let unreadable: unknown
    const [text, { status, headers }] = await handle({
      method: ctx.method === 'HEAD' ? 'GET' : ctx.method,
      url: ctx.url,
      headers: ctx.req.headers,
      body: () => {
        try {
          readJson(body)
        } catch (error) {
          unreadable = error
          throw error
        }
        return body.toString('utf8')
      },
      raw: exchange,
      context: undefined,
    })
    // A spent budget is reported before scope and tenant. The request did not reach a utility, which would report it
    // itself, so the budget is the whole answer.
    if (overBudget !== undefined && !exchange.admitted) throw rateLimited(overBudget)
    // Scope and tenant are checked for every request, even when there is no operation that could run.
    if (overBudget === undefined && !exchange.judged) {
      requireScopes(caller, ['api:read'])
      await requireTenant(ctx, caller)
    }
    if (unreadable !== undefined) throw unreadable
    const refused = REFUSED[status]
    if (refused !== undefined) throw refuse(refused.code, { detail: refused.detail })
    ctx.status = status
    if (exchange.data === undefined) ctx.body = text
    else {
      const [before = '', after = ''] = (text ?? '').split(DATA_PLACE_TEXT)
      const whole = exchange.data.within(before, after)
      const isLarge = whole.bytes > ONE_WRITE_BYTES
      ctx.body = isLarge ? Readable.from(whole.parts, { objectMode: false }) : whole.parts.join('')
      if (isLarge) ctx.length = whole.bytes
    }
    // After the body, because setting the body sets a type.
    for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) ctx.set(name, value)
  }

  return async (ctx, next) => {
    if (ctx.path !== '/gql') return next()
    try {
      await house.drain.run(() => answer(ctx))
    } catch (error) {
      if (error instanceof InsufficientScope) answerInsufficientScope(ctx, error, guarded)
      else ctx.body = graphqlErrors(refuseWith(ctx, error, log))
    }
    ctx.vary('Accept')
    ctx.set('Cache-Control', 'private, no-cache')
  }
}

const tenantOf = (ctx: Koa.Context): string | undefined =>
  requestedTenant(ctx, new URLSearchParams(ctx.querystring))
