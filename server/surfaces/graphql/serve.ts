// GraphQL over HTTP at /gql, with both media types of its specification: what a request asks for and in which type it is
// answered, and how the answer is sent. Problems appear in `errors`.
import { Readable } from 'node:stream'
import { GraphQLError } from 'graphql'
import { parseRequestParams } from 'graphql-http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { rateLimitHeaders, requireCharge } from '../../admission/door.ts'
import { type Admission, hasLargeBody } from '../../admission/turns.ts'
import { responseTooLarge } from '../../contract/row_columns.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import { whenKnown } from '../../kernel/flow/at_once.ts'
import type { JsonParts } from '../../kernel/json_text.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { setHeaders } from '../../kernel/set_headers.ts'
import { answerInsufficientScope, type Guarded, InsufficientScope } from '../http/challenge.ts'
import type { Drain } from '../http/drain.ts'
import { refuseWith } from '../http/error_document.ts'
import { type Authenticate, identify } from '../http/identify.ts'
import {
  checkContentEncoding,
  checkDeclaredLength,
  checkLengthRule,
  hasUnknownLength,
  readBody,
  readJson,
} from '../http/read_body.ts'
import {
  admitUnread,
  type KnownRequest,
  type OperationHouse,
  type Performed,
  performOperations,
} from './run/perform_operation.ts'
import type { AskedOperation } from './run/prepare_operation.ts'
import { graphqlErrors, tellErrors } from './schema/tell_errors.ts'

interface GraphqlHouse extends OperationHouse {
  readonly maxBodyBytes: number
  readonly authenticate: Authenticate
  /** The public origin. It is available once the server listens. */
  readonly base: () => string
  readonly drain: Drain
  readonly admission: Admission
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

const FIELDS = { Vary: 'Accept', 'Cache-Control': 'private, no-cache' } as const

/** Answers every request at /gql. It never throws: a fault of ours becomes a 500 with a body. */
export function serveGraphql(house: GraphqlHouse): Middleware {
  const { log } = house
  const { ceilings } = house.services
  const most = ceilings.problems
  const guarded: Guarded = { resource: 'api', base: house.base }
  const perform = performOperations(house)

  const answer = async (ctx: Koa.Context): Promise<void> => {
    const request = await readKnown(ctx, house, guarded)
    const read = await readRequest(ctx, request.body)
    if ('asked' in read) return send(ctx, read.type, await perform(request, read.asked))
    await admitUnread(house, request)
    if ('refused' in read) throw read.refused
    const errors = tellErrors([new GraphQLError(read.wrong)], log, most)
    sendErrors(ctx, { status: 400, type: 'application/json' }, errors)
  }

  const send = (
    ctx: Koa.Context,
    type: AnswerType,
    { isMutation, refused, data, errors }: Performed,
  ): void => {
    const told = errors === undefined ? undefined : tellErrors(errors, log, most)
    if (refused !== undefined)
      sendErrors(ctx, { status: type === 'application/json' ? 200 : 400, type }, refused)
    else if (data === undefined) sendErrors(ctx, { status: 200, type }, told ?? [])
    else if (data !== 'too large') sendData(ctx, type, data, told)
    else {
      const detail = isMutation ? 'done, but its answer would be too large' : undefined
      sendNothing(ctx, type, tellErrors([responseTooLarge(ceilings, detail)], log, most))
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
  if (door !== undefined) requireCharge(ctx, await door.address(ctx))
  checkDeclaredLength(ctx.req, maxBodyBytes)
  if (hasUnknownLength(ctx.req)) await checkLengthRule(ctx.req)
  let overBudget: Charge | undefined
  const caller = await identify(ctx, { ...guarded, authenticate }, (known) =>
    whenKnown(door?.caller(ctx, known), (charge) => {
      if (charge === undefined) return
      setHeaders(ctx.res, rateLimitHeaders(charge))
      if (!charge.allowed && (known === undefined || !METHODS.has(ctx.method))) throw rateLimited(charge)
      if (!charge.allowed) overBudget = charge
    }),
  )
  if (!METHODS.has(ctx.method)) {
    ctx.set('Allow', [...METHODS].join(', '))
    throw refuse('method_not_allowed')
  }
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

/** `refused`: no GraphQL can be read or answered. `wrong`: it is no GraphQL request, and says why. */
type RequestRead =
  | { readonly asked: AskedOperation; readonly type: AnswerType }
  | { readonly refused: unknown }
  | { readonly wrong: string }

/** @param body empty unless the method is POST */
async function readRequest(ctx: Koa.Context, body: Buffer): Promise<RequestRead> {
  const type = answerTypeFor(ctx.headers.accept)
  if (type === undefined) return { refused: notAcceptable() }
  const repeated = repeatedIn(ctx.querystring)
  if (repeated !== undefined) return { wrong: `Parameter "${repeated}" is given more than once` }
  let refused: unknown
  try {
    const read = await parseRequestParams({
      method: ctx.method === 'HEAD' ? 'GET' : ctx.method,
      url: ctx.url,
      headers: ctx.req.headers,
      body: () => {
        try {
          readJson(body)
        } catch (error) {
          refused = error
          throw error
        }
        return body.toString('utf8')
      },
      raw: undefined,
      context: undefined,
    })
    if (!('query' in read)) return { refused: unsupportedType() }
    const { query, operationName, variables } = read
    return { asked: { query, operationName: operationName ?? undefined, variables: variables ?? {} }, type }
  } catch (error) {
    if (refused !== undefined) return { refused }
    return { wrong: error instanceof Error ? error.message : String(error) }
  }
}

/** Of two values, one would be left out in silence. */
function repeatedIn(querystring: string): string | undefined {
  if (querystring === '') return undefined
  const query = new URLSearchParams(querystring)
  return ['query', 'operationName', 'variables', 'extensions'].find((name) => query.getAll(name).length > 1)
}

const notAcceptable = (): Refusal =>
  refuse('not_acceptable', {
    detail: 'application/graphql-response+json and application/json are served',
  })

const unsupportedType = (): Refusal => refuse('unsupported_media_type', { detail: 'use application/json' })

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

const typed = (ctx: Koa.Context, type: AnswerType): void => {
  // Before the body, because Koa looks for a type of its own otherwise.
  ctx.res.setHeader('Content-Type', `${type}; charset=utf-8`)
}

/** Sends the errors of a request that was not executed. */
function sendErrors(
  ctx: Koa.Context,
  { status, type }: { readonly status: 200 | 400; readonly type: AnswerType },
  errors: readonly GraphQLError[],
): void {
  typed(ctx, type)
  ctx.status = status
  ctx.body = JSON.stringify({ errors })
}

/** Sends the errors of a request whose data was left out. */
function sendNothing(ctx: Koa.Context, type: AnswerType, errors: readonly GraphQLError[]): void {
  typed(ctx, type)
  ctx.status = 200
  ctx.body = JSON.stringify({ data: null, errors })
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
