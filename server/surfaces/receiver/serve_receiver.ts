// Serves the console's page about the built-in receiver below `/console/receiver`: its addresses, and what arrived.
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { type Door, requireCharge, requireRoom } from '../../admission/door.ts'
import {
  ADDRESS_LIMITS,
  ANSWERS,
  type ReceiverAddress,
  type ReceiverAnswer,
  receiverUrl,
  TOKEN,
} from '../../domain/webhooks/receiver/receiver_address.ts'
import {
  type ReceiverDesk,
  type ReceiverOff,
  requestOff,
} from '../../domain/webhooks/receiver/receiver_desk.ts'
import { REQUEST_LIMITS, type ReceiverRequest } from '../../domain/webhooks/receiver/receiver_request.ts'
import { whenKnown } from '../../kernel/flow/at_once.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseMethod } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { identify, requireScopes } from '../http/identify.ts'
import { JSON_TYPE, readBody, readJson } from '../http/read_body.ts'

const showAddress = (address: ReceiverAddress): object => ({
  token: address.token,
  url: receiverUrl(address.token),
  answers: address.answers,
  inserted_at: address.inserted_at.toISOString(),
  expires_at: address.expires_at.toISOString(),
  requests: address.requests,
  newest_at: address.newest_at?.toISOString() ?? null,
})

const showRequest = (request: ReceiverRequest): object => ({
  id: request.id,
  at: request.at.toISOString(),
  method: request.method,
  headers: request.headers,
  body: request.body,
  body_bytes: request.body_bytes,
  body_kept_bytes: Math.min(request.body_bytes, REQUEST_LIMITS.bodyBytes),
  delivery_id: request.delivery_id,
  endpoint_id: request.endpoint_id,
  secret: request.secret,
  answered: request.answered,
})

const MOST_BYTES = 1_024

/** @throws unsupported_media_type, request_too_large, invalid_json, invalid_attribute */
async function readAnswers(request: IncomingMessage): Promise<ReceiverAnswer> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw refuse('unsupported_media_type')
  const given = readJson(await readBody(request, MOST_BYTES))
  const wanted = typeof given === 'object' && given !== null && !Array.isArray(given) ? given.answers : null
  const answers = ANSWERS.find((one) => one === wanted)
  if (answers === undefined)
    throw refuse('invalid_attribute', { path: ['answers'], detail: `must be one of ${ANSWERS.join(', ')}` })
  return answers
}

const RECEIVER_PATH = '/console/receiver'

interface Asked {
  readonly ctx: Koa.Context
  readonly userId: string
  /** Empty for all addresses. */
  readonly token: string
}

type Answer = (desk: ReceiverDesk, asked: Asked) => Promise<object | undefined>

/** What each method does to all addresses, and to one. An answer of undefined is 204. */
const ALL: Readonly<Record<string, Answer>> = {
  GET: async (desk, { userId }) => ({
    on: true,
    limits: { addresses: ADDRESS_LIMITS.account, days: ADDRESS_LIMITS.days, ...REQUEST_LIMITS_SHOWN },
    addresses: (await desk.list(userId)).map(showAddress),
  }),
  POST: async (desk, { ctx, userId }) => {
    ctx.status = 201
    return { address: showAddress(await desk.make(userId)) }
  },
}
const ONE: Readonly<Record<string, Answer>> = {
  GET: async (desk, asked) => ({
    address: showAddress(await desk.read(asked)),
    requests: (await desk.requests(asked.token)).map(showRequest),
  }),
  PATCH: async (desk, { ctx, ...which }) => {
    await desk.setAnswers({ ...which, answers: await readAnswers(ctx.req) })
    return { address: showAddress(await desk.read(which)) }
  },
  DELETE: async (desk, asked) => void (await desk.remove(asked)),
}

const REQUEST_LIMITS_SHOWN = { requests: REQUEST_LIMITS.newest, hours: REQUEST_LIMITS.hours }

/** Charged as a request to the JSON:API. */
export function serveReceiver(
  { authenticate, base, admission, drain }: House,
  desk: ReceiverDesk,
  door: Door,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== RECEIVER_PATH && !ctx.path.startsWith(`${RECEIVER_PATH}/`)) return next()
    ctx.set('Cache-Control', 'no-store')
    requireRoom(ctx, await door.address(ctx))
    const caller = await identify(ctx, { resource: 'api', base, authenticate }, (known) =>
      whenKnown(door.caller(ctx, known), (charge) => requireCharge(ctx, charge)),
    )
    ctx.state.operation = 'receiver'
    const token = ctx.path.slice(RECEIVER_PATH.length + 1)
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    requireScopes(caller, [method === 'GET' ? 'api:read' : 'api:write'])
    admission.admit(ctx.res, caller.userId)
    const off = desk.off ?? requestOff(ctx.headers)
    if (off !== undefined) return tellOff(ctx, off, token)
    if (token !== '' && !TOKEN.test(token)) throw refuse('not_found')
    const here = token === '' ? ALL : ONE
    const run = Object.hasOwn(here, method) ? here[method] : undefined
    if (run === undefined) return refuseMethod(ctx, ['HEAD', ...Object.keys(here)].join(', '))
    const body = await drain.run(() => run(desk, { ctx, userId: caller.userId, token }))
    if (body === undefined) ctx.status = 204
    else ctx.body = body
  }
}

/** The page asks first whether there is a receiver. Everything else is not there without one. */
function tellOff(ctx: Koa.Context, off: ReceiverOff, token: string): void {
  if (token !== '' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) throw refuse('not_found')
  ctx.body = { on: false, reason: off }
}
