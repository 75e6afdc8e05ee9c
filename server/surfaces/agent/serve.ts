// The agent tool server at /mcp: streamable HTTP of the protocol revisions 2025-11-25 and 2026-07-28, without
// sessions, so any server takes the next request. Refuses what a web page was tricked into sending.
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { rateLimitHeaders, requireRoom } from '../../admission/door.ts'
import { hasLargeBody } from '../../admission/turns.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import { whenOver } from '../../kernel/flow/lasting.ts'
import { JsonParts } from '../../kernel/json_text.ts'
import { kept } from '../../kernel/lru.ts'
import { present } from '../../kernel/present.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseMethod, refuseWith } from '../http/error_document.ts'
import {
  answerInsufficientScope,
  InsufficientScope,
  identify,
  noteAnswered,
  requireScopes,
} from '../http/identify.ts'
import { checkContentEncoding, checkLength, readBody } from '../http/read_body.ts'
import { type McpHouse, type McpRequest, mcpServer } from './mcp_server.ts'
import { type RpcMessage, readMessage, withResult } from './rpc_message.ts'
import { rpcErrors } from './tool.ts'

/**
 * Refuses requests that a web page may have been tricked into sending (DNS rebinding), as the protocol demands.
 * A page of another site can make a browser send its requests to this server only under the page's own name, which
 * then stands in `Host`. So `Host` must be that of the public origin, or loopback. Every origin may call otherwise,
 * because nothing here depends on cookies: a page needs a token of its own, and CORS lets every page try. Refused are
 * origins that name nobody, and pages without TLS, which anybody on the way could have changed to take the token.
 * @throws foreign_origin
 */
function checkHostAndOrigin({ host, origin }: IncomingHttpHeaders, base: string): void {
  const own = new URL(base)
  if (host === undefined || !isOwnHost(host, own))
    throw refuse('foreign_origin', {
      detail: 'the Host header names another server',
      meta: { header: 'Host' },
    })
  if (origin !== undefined && !isAcceptable(origin, own))
    throw refuse('foreign_origin', {
      detail: 'the Origin header names nobody, or a page that was not sent over TLS',
      meta: { header: 'Origin' },
    })
}

/** Default ports may be left out. */
function isOwnHost(host: string, own: URL): boolean {
  const named = URL.parse(`${own.protocol}//${host}`)
  // Anything but a host and a port, such as a path or a name and password, is no Host.
  if (named === null || named.pathname !== '/' || /[/?#@\\]/.test(host)) return false
  return named.host === own.host || isLoopback(named.hostname)
}

function isAcceptable(origin: string, own: URL): boolean {
  if (origin === own.origin) return true
  const named = URL.parse(origin)
  if (named === null || named.host === '') return false
  // Other schemes are those of applications and of extensions, which no name can be rebound to.
  return named.protocol !== 'http:' || isLoopback(named.hostname)
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

export const AGENT_PATH = '/mcp'

const RESOURCE = 'mcp'

/** Header fields that the protocol's library reads. Nothing else of the request leaves our hands, least of all the token. */
const PROTOCOL_FIELDS = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Answers every request at /mcp. It never throws: what is refused has a body of JSON-RPC. */
export function serveAgent(house: McpHouse): Middleware {
  const { base, log } = house
  /** The calls under way, by who made them and their id. There are as many as requests under way, which have a ceiling. */
  const underWay = new Map<string, Set<AbortController>>()

  const letIn = async (ctx: Koa.Context): Promise<McpRequest> => {
    const { door, maxBodyBytes, authenticate, admission } = house
    requireRoom(ctx, await door.address(ctx))
    checkHostAndOrigin(ctx.headers, base())
    await checkLength(ctx.req, maxBodyBytes)
    const isLarge = hasLargeBody(ctx.req)
    let charge: Charge | undefined
    const caller = await identify(ctx, { authenticate, base, resource: RESOURCE }, async (known) => {
      charge = await door.caller(ctx, known)
      ctx.set(rateLimitHeaders(charge))
      // A tool says it itself, so that the model knows how long to wait. A large body is not read for that.
      const mayBeCall = known !== undefined && ctx.method === 'POST' && !isLarge
      if (!charge.allowed && !mayBeCall) throw rateLimited(charge)
    })
    // There is no stream to listen to, and no session to end.
    if (ctx.method !== 'POST') refuseMethod(ctx, 'POST')
    requireScopes(caller, ['mcp:read'])
    checkContentEncoding(ctx)
    checkType(ctx)
    admission.admit(ctx.res, caller.userId)
    if (isLarge) await admission.turn(ctx.res, caller.userId)
    const message = readMessage(await readBody(ctx.req, maxBodyBytes))
    noteMessage(ctx, message, house)
    if (charge === undefined) throw new Error('A request was let in without a charge.')
    if (!charge.allowed && message.call === undefined) throw rateLimited(charge)
    const tool = house.tools.find(({ name }) => name === message.call?.name)
    if (tool?.access === 'write') requireScopes(caller, ['mcp:read', 'mcp:write'])
    return { caller, message, entered: { charge, answer: ctx.res } }
  }

  const exchange = async (ctx: Koa.Context, request: McpRequest): Promise<void> => {
    const { caller, message } = request
    const gone = new AbortController()
    whenOver(ctx.res, () => gone.abort())
    const keyOf = (id: string | number) => JSON.stringify([caller.credential.id, id])
    if (message.cancelled !== undefined) {
      // When several have this key none is ended, because clients that share a token count alike. A call of another server
      // goes on: the protocol lets notices be ignored.
      const [named, ...others] = underWay.get(keyOf(message.cancelled)) ?? []
      if (others.length === 0) named?.abort()
    }
    if (message.call !== undefined && message.id !== undefined) {
      const key = keyOf(message.id)
      const calls = kept<string, Set<AbortController>>(underWay, key, () => new Set()).add(gone)
      whenOver(ctx.res, () => {
        calls.delete(gone)
        if (calls.size === 0) underWay.delete(key)
      })
    }
    // No subscription: what would be told of never changes while this version runs.
    const handler = createMcpHandler(() => mcpServer(house, request), {
      maxSubscriptions: 0,
      onerror: (err) => log.debug({ err }, 'agent.message_refused'),
    })
    const answered = await handler.fetch(protocolRequest(ctx, base(), gone.signal), {
      parsedBody: message.body,
    })
    await send(ctx, answered, request)
  }

  return async (ctx, next) => {
    if (ctx.path !== AGENT_PATH) return next()
    try {
      // A server that stops refuses what waits to be let in. What runs inside is told by itself.
      const request = await house.drain.run(() => letIn(ctx))
      await exchange(ctx, request)
    } catch (error) {
      if (error instanceof InsufficientScope)
        answerInsufficientScope(ctx, error, { resource: RESOURCE, base })
      else ctx.body = rpcErrors(refuseWith(ctx, error, log))
    }
    ctx.set('Cache-Control', 'private, no-cache, no-transform')
  }
}

function checkType(ctx: Koa.Context): void {
  if (ctx.is('application/json') !== 'application/json')
    throw refuse('unsupported_media_type', { detail: 'use application/json' })
}

/** For the log line of the request, and for the metrics. Methods and tools are named by the client, so only known ones are noted. */
function noteMessage(ctx: Koa.Context, { method, call }: RpcMessage, { tools }: McpHouse): void {
  const tool = tools.find(({ name }) => name === call?.name)?.name
  const rpc = method !== undefined && METHODS.has(method) ? method : 'other'
  ctx.state.operation = tool ?? rpc
  noteAnswered(ctx, { rpc, ...present({ tool }) })
}

const METHODS: ReadonlySet<string> = new Set([
  ...['initialize', 'server/discover', 'ping', 'tools/list', 'tools/call', 'prompts/list', 'prompts/get'],
  ...['resources/list', 'resources/read', 'resources/templates/list', 'subscriptions/listen'],
  ...['notifications/initialized', 'notifications/cancelled'],
])

function protocolRequest(ctx: Koa.Context, base: string, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const name of PROTOCOL_FIELDS) {
    const value = ctx.get(name)
    if (value !== '') headers.set(name, value)
  }
  // Any type of answer includes both.
  const accept = ctx.get('accept')
  headers.set(
    'accept',
    accept === '' || accept.includes('*/*') ? 'application/json, text/event-stream' : accept,
  )
  return new Request(new URL(AGENT_PATH, base), { method: 'POST', headers, signal })
}

/** Sends what the library answered, with the result in its place. */
async function send(
  ctx: Koa.Context,
  { status, headers, body }: Response,
  request: McpRequest,
): Promise<void> {
  ctx.status = status
  const type = headers.get('content-type')
  if (type === null || body === null) ctx.body = null
  else if (type === 'text/event-stream')
    ctx.body = Readable.from(frames(body, request), { objectMode: false })
  else sendWhole(ctx, withResult(await new Response(body).text(), request.result))
  // After the body, because setting the body sets a status and a type.
  ctx.status = status
  for (const name of ['content-type', 'allow', 'x-accel-buffering']) {
    const value = headers.get(name)
    if (value !== null) ctx.set(name, value)
  }
}

/** Larger answers are sent in parts, as fast as the client takes them. */
const ONE_WRITE_BYTES = 262_144

function sendWhole(ctx: Koa.Context, parts: readonly string[]): void {
  const { bytes } = new JsonParts(parts)
  ctx.body = bytes > ONE_WRITE_BYTES ? Readable.from(parts, { objectMode: false }) : parts.join('')
  ctx.length = bytes
}

/** The library writes each message as one chunk. */
async function* frames(body: ReadableStream<Uint8Array>, request: McpRequest): AsyncGenerator<string> {
  // Node sends the head with the first bytes, and clients wait for the head. A comment means nothing.
  yield ':\n\n'
  for await (const chunk of body) yield* withResult(Buffer.from(chunk).toString('utf8'), request.result)
}
