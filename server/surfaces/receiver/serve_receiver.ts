// Serves the console's page about the built-in receiver below `/console/receiver`: its addresses, and what arrived.
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { type Door, requireCharge, requireRoom } from '../../admission/door.ts'
import {
  ADDRESS_LIMITS,
  ANSWERS,
  deleteAddress,
  listAddresses,
  makeAddress,
  type ReceiverAddress,
  type ReceiverAnswer,
  readAddress,
  receiverUrl,
  setAnswers,
  TOKEN,
} from '../../domain/webhooks/receiver/receiver_address.ts'
import { type ReceiverOff, requestOff } from '../../domain/webhooks/receiver/receiver_off.ts'
import {
  listRequests,
  REQUEST_LIMITS,
  type ReceiverRequest,
} from '../../domain/webhooks/receiver/receiver_request.ts'
import { whenKnown } from '../../kernel/flow/at_once.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Store } from '../../store/open_store.ts'
import { refuseMethod } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { identify, requireScopes } from '../http/identify.ts'
import { JSON_TYPE, readBody, readJson } from '../http/read_body.ts'

/** Times are shown in ISO 8601, as JSON writes them. */
const showAddress = (address: ReceiverAddress): object => ({ ...address, url: receiverUrl(address.token) })

const showRequest = (request: ReceiverRequest): object => ({
  ...request,
  body_kept_bytes: Math.min(request.body_bytes, REQUEST_LIMITS.bodyBytes),
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

type Answer = (em: Store['em'], asked: Asked) => Promise<object | undefined>

/** What each method does to all addresses, and to one. An answer of undefined is 204. */
const ALL: Readonly<Record<string, Answer>> = {
  GET: async (em, { userId }) => ({
    on: true,
    limits: { addresses: ADDRESS_LIMITS.account, days: ADDRESS_LIMITS.days, ...REQUEST_LIMITS_SHOWN },
    addresses: (await listAddresses(em('read'), userId)).map(showAddress),
  }),
  POST: async (em, { ctx, userId }) => {
    ctx.status = 201
    return { address: showAddress(await makeAddress(em('write'), userId)) }
  },
}
const ONE: Readonly<Record<string, Answer>> = {
  GET: async (em, asked) => ({
    // First, because it looks whose address it is.
    address: showAddress(await readAddress(em('read'), asked)),
    requests: (await listRequests(em('read'), asked.token)).map(showRequest),
  }),
  PATCH: async (em, { ctx, ...which }) => {
    const answers = await readAnswers(ctx.req)
    await setAnswers(em('write'), { ...which, answers })
    return { address: showAddress(await readAddress(em('read'), which)) }
  },
  DELETE: async (em, asked) => void (await deleteAddress(em('write'), asked)),
}

const REQUEST_LIMITS_SHOWN = { requests: REQUEST_LIMITS.newest, hours: REQUEST_LIMITS.hours }

/**
 * Charged as a request to the JSON:API.
 * @param receiverOff why the service has no receiver
 */
export function serveReceiver(
  { authenticate, base, store, admission, drain }: House,
  receiverOff: ReceiverOff | undefined,
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
    const off = receiverOff ?? requestOff(ctx.headers)
    if (off !== undefined) return tellOff(ctx, off, token)
    if (token !== '' && !TOKEN.test(token)) throw refuse('not_found')
    const here = token === '' ? ALL : ONE
    const run = Object.hasOwn(here, method) ? here[method] : undefined
    if (run === undefined) return refuseMethod(ctx, ['HEAD', ...Object.keys(here)].join(', '))
    const body = await drain.run(() => run(store.em, { ctx, userId: caller.userId, token }))
    if (body === undefined) ctx.status = 204
    else ctx.body = body
  }
}

/** The page asks first whether there is a receiver. Everything else is not there without one. */
function tellOff(ctx: Koa.Context, off: ReceiverOff, token: string): void {
  if (token !== '' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) throw refuse('not_found')
  ctx.body = { on: false, reason: off }
}
