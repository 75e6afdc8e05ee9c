// GraphQL over HTTP at /gql, with both media types of its specification: what a request asks for and in which type it is
// answered, and how the answer is sent. Problems appear in `errors`.
import { Readable } from 'node:stream'
import { GraphQLError } from 'graphql'
import { parseRequestParams } from 'graphql-http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { rateLimitHeaders, requireCharge } from '../../admission/door.ts'
import { hasLargeBody } from '../../admission/turns.ts'
import { responseTooLarge } from '../../contract/row_columns.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import { whenKnown } from '../../kernel/flow/at_once.ts'
import type { JsonParts } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import { setHeaders } from '../../kernel/set_headers.ts'
import { refuseMethod, refuseWith } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { answerInsufficientScope, type Guarded, InsufficientScope, identify } from '../http/identify.ts'
import { checkContentEncoding, checkLength, readBody, readJson } from '../http/read_body.ts'
import {
  admitUnread,
  type KnownRequest,
  type OperationHouse,
  type Performed,
  performOperations,
} from './run/perform_operation.ts'
import { graphqlErrors, tellErrors } from './schema/tell_errors.ts'

type GraphqlHouse = OperationHouse & House & { readonly log: Log }

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

const FIELDS = { Vary: 'Accept', 'Cache-Control': 'private, no-cache' } as const

/** Answers every request at /gql. It never throws: a fault of ours becomes a 500 with a body. */
export function serveGraphql(house: GraphqlHouse): Middleware {
  const { log } = house
  const { ceilings } = house.services
  const tell = (errors: readonly unknown[]) => tellErrors(errors, log, ceilings.problems)
  const guarded: Guarded = { resource: 'api', base: house.base }
  const perform = performOperations(house)

  const answer = async (ctx: Koa.Context): Promise<void> => {
    const request = await readKnown(ctx, house, guarded)
    let read: Awaited<ReturnType<typeof readRequest>>
    try {
      read = await readRequest(ctx, request.body)
    } catch (error) {
      await admitUnread(house, request)
      if (!(error instanceof GraphQLError)) throw error
      return sendJson(ctx, 'application/json', { errors: tell([error]) }, 400)
    }
    send(ctx, read.type, await perform(request, read.asked))
  }

  const send = (
    ctx: Koa.Context,
    type: AnswerType,
    { isMutation, refused, data, errors }: Performed,
  ): void => {
    const answered = errors && tell(errors)
    if (refused !== undefined)
      sendJson(ctx, type, { errors: tell(refused) }, type === 'application/json' ? 200 : 400)
    else if (data === undefined) sendJson(ctx, type, { errors: answered ?? [] })
    else if (data !== 'too large') sendData(ctx, type, data, answered)
    else {
      const detail = isMutation ? 'done, but its answer would be too large' : undefined
      sendJson(ctx, type, { data: null, errors: tell([responseTooLarge(ceilings, detail)]) })
    }
  }

  return async (ctx, next) => {
    if (ctx.path !== '/gql') return next()
    try {
      await house.drain.run(() => answer(ctx))
    } catch (error) {
      if (error instanceof InsufficientScope) answerInsufficientScope(ctx, error, guarded)
      else ctx.body = graphqlErrors(refuseWith(ctx, error, log))
    }
    setHeaders(ctx.res, FIELDS)
  }
}

/** Learns who sent the request, charges it, and reads its body when it has its turn. @throws Refusal */
async function readKnown(
  ctx: Koa.Context,
  { door, maxBodyBytes, authenticate, admission }: GraphqlHouse,
  guarded: Guarded,
): Promise<KnownRequest> {
  requireCharge(ctx, await door.address(ctx))
  await checkLength(ctx.req, maxBodyBytes)
  let overBudget: Charge | undefined
  const caller = await identify(ctx, { ...guarded, authenticate }, (known) =>
    whenKnown(door.caller(ctx, known), (charge) => {
      setHeaders(ctx.res, rateLimitHeaders(charge))
      if (!charge.allowed && (known === undefined || !METHODS.has(ctx.method))) throw rateLimited(charge)
      if (!charge.allowed) overBudget = charge
    }),
  )
  if (!METHODS.has(ctx.method)) refuseMethod(ctx, [...METHODS].join(', '))
  const isLarge = hasLargeBody(ctx.req)
  // A large body is refused unread when the budget is spent, because reading it would be the
  // work that the budget limits.
  if (overBudget !== undefined && isLarge) throw rateLimited(overBudget)
  if (ctx.method === 'POST') checkContentEncoding(ctx)
  admission.admit(ctx.res, caller.userId)
  // The turn starts after reading the body, so that a slow sender does not hold it. A large body
  // needs the turn for reading.
  const early = isLarge ? await admission.turn(ctx.res, caller.userId) : undefined
  const body = ctx.method === 'POST' ? await readBody(ctx.req, maxBodyBytes) : Buffer.alloc(0)
  const turn = early ?? (await admission.turn(ctx.res, caller.userId))
  return { ctx, caller, overBudget, body, turn }
}

type AnswerType = 'application/graphql-response+json' | 'application/json'

/**
 * @param body empty unless the method is POST
 * @throws Refusal where no GraphQL can be read or answered; GraphQLError that says why it is no GraphQL request
 */
async function readRequest(ctx: Koa.Context, body: Buffer) {
  const type = answerTypeFor(ctx.headers.accept)
  if (type === undefined)
    throw refuse('not_acceptable', {
      detail: 'application/graphql-response+json and application/json are served',
    })
  const repeated = repeatedIn(ctx.querystring)
  if (repeated !== undefined) throw new GraphQLError(`Parameter "${repeated}" is given more than once`)
  let refused: unknown
  const read = await parseRequestParams({
    method: ctx.method === 'HEAD' ? 'GET' : ctx.method,
    url: ctx.url,
    headers: ctx.req.headers,
    body: () => {
      try {
        readJson(body)
      } catch (error) {
        refused = error
      }
      return body.toString('utf8')
    },
    raw: undefined,
    context: undefined,
  }).catch((error: unknown) => {
    throw refused ?? new GraphQLError(error instanceof Error ? error.message : String(error))
  })
  if (refused !== undefined) throw refused
  if (!('query' in read)) throw refuse('unsupported_media_type', { detail: 'use application/json' })
  const { query, operationName, variables } = read
  return { asked: { query, operationName: operationName ?? undefined, variables: variables ?? {} }, type }
}

/** Of two values, one would be left out in silence. */
function repeatedIn(querystring: string): string | undefined {
  if (querystring === '') return undefined
  const query = new URLSearchParams(querystring)
  return ['query', 'operationName', 'variables', 'extensions'].find((name) => query.getAll(name).length > 1)
}

const JSON_RANGES: ReadonlySet<string> = new Set(['application/json', 'application/*', '*/*'])

/** The first range that names a type of ours, in UTF-8, decides. */
function answerTypeFor(accept: string | undefined): AnswerType | undefined {
  for (const range of (accept || '*/*').replace(/\s/g, '').toLowerCase().split(',')) {
    const [media = '', ...parameters] = range.split(';')
    const charset = parameters.find((one) => one.includes('charset=')) ?? 'charset=utf-8'
    if (media === 'application/graphql-response+json' && charset === 'charset=utf-8') return media
    if (JSON_RANGES.has(media) && (charset === 'charset=utf-8' || charset === 'charset=utf8'))
      return 'application/json'
  }
  return undefined
}

/** Larger answers are sent in parts. */
const ONE_WRITE_BYTES = 65_536

/** Sends the errors of a request that was not executed, or whose data was left out. */
function sendJson(ctx: Koa.Context, type: AnswerType, body: object, status = 200): void {
  typed(ctx, type)
  ctx.status = status
  ctx.body = JSON.stringify(body)
}

const typed = (ctx: Koa.Context, type: AnswerType): void => {
  // Before the body, because Koa looks for a type of its own otherwise.
  ctx.res.setHeader('Content-Type', `${type}; charset=utf-8`)
}

/** Sends the data of a request that was executed, and the errors of its fields. */
function sendData(
  ctx: Koa.Context,
  type: AnswerType,
  data: JsonParts,
  errors: readonly GraphQLError[] | undefined,
): void {
  typed(ctx, type)
  ctx.status = 200
  const before = errors === undefined ? '{"data":' : `{"errors":${JSON.stringify(errors)},"data":`
  const whole = data.within(before, '}')
  if (whole.bytes <= ONE_WRITE_BYTES) {
    ctx.body = whole.parts.join('')
    return
  }
  ctx.body = Readable.from(whole.parts, { objectMode: false })
  ctx.length = whole.bytes
}
