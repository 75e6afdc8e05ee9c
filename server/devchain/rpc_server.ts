// The HTTP server of the node, which answers JSON-RPC with Bitcoin Core's statuses. It listens on loopback only and
// requires one of the two passwords of this start.
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { readOrUndefined } from '../../shared/proof/bytes.ts'
import { isJsonObject, type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import type { Log } from '../kernel/log.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../store/database_errors.ts'
import { chainMethods } from './chain_methods.ts'
import { type DevchainNode, RPC_CODES, type RpcMethod, RpcRefusal, refuseCall } from './rpc_method.ts'
import { WALLET_NAME } from './wallet.ts'
import { walletMethods } from './wallet_methods.ts'

const BYTES = { header: 8_192, body: 1_048_576 } as const
/** Milliseconds. */
const TIMES = { headers: 5_000, request: 10_000, drain: 2_000 } as const
const MOST_CONNECTIONS = 64

const USERS = { wallet: 'pharos', reader: 'reader' } as const

/** Enough to find out which Merkle root the block at a height has. */
const READING_METHODS: ReadonlySet<string> = new Set(['getblockcount', 'getblockhash', 'getblockheader'])

type Passwords = Readonly<Record<keyof typeof USERS, string>>

/** @param passwords must contain only characters that need no escaping in a URL */
export async function openRpcServer(answering: Answering, passwords: Passwords) {
  const credential = (user: keyof typeof USERS) => `${USERS[user]}:${passwords[user]}`
  const expected = (user: keyof typeof USERS) =>
    digest(`Basic ${Buffer.from(credential(user)).toString('base64')}`)
  const callers: readonly Caller[] = [
    { expected: expected('wallet') },
    { expected: expected('reader'), allowed: READING_METHODS },
  ]
  const callerOf = ({ headers }: IncomingMessage): Caller | undefined => {
    const given = digest(headers.authorization ?? '')
    return callers.find((one) => timingSafeEqual(given, one.expected))
  }
  const server = createServer({ maxHeaderSize: BYTES.header }, (request, response) => {
    answerRequest(answering, request, callerOf).then(
      (answer) => send(response, answer),
      // The client closed the connection or sent its body too slowly.
      (error: unknown) => {
        answering.log.debug({ err: error }, 'development_chain.request_broken')
        response.destroy()
      },
    )
  })
  server.headersTimeout = TIMES.headers
  server.requestTimeout = TIMES.request
  server.maxConnections = MOST_CONNECTIONS
  const port = await listen(server)
  return {
    /** May do everything. Contains the credentials. Never log it. */
    url: `http://${credential('wallet')}@127.0.0.1:${port}/wallet/${WALLET_NAME}`,
    /** May read headers and nothing else. Contains credentials too. */
    readerUrl: `http://${credential('reader')}@127.0.0.1:${port}/`,
    close: () => closeServer(server),
  }
}

interface Caller {
  /** Of the header field with the credentials. */
  readonly expected: Buffer
  /** The methods that it may call. All when absent. */
  readonly allowed?: ReadonlySet<string>
}

async function answerRequest(
  answering: Answering,
  request: IncomingMessage,
  callerOf: (request: IncomingMessage) => Caller | undefined,
): Promise<RpcAnswer> {
  if (request.method !== 'POST') return { status: 405, body: 'JSONRPC server handles only POST requests' }
  const caller = callerOf(request)
  if (caller === undefined) return { status: 401, body: '' }
  const path = request.url ?? ''
  if (path !== '/' && path !== `/wallet/${WALLET_NAME}`)
    return path.startsWith('/wallet/')
      ? refusedWhole('wallet_not_found', 'Requested wallet does not exist or is not loaded')
      : { status: 404, body: '' }
  const body = await readBody(request)
  return body === undefined ? { status: 413, body: '' } : answerBody(answering, body, caller.allowed)
}

/** Returns undefined when the body is longer than allowed. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  // Keeps the stream open when the loop stops early, so that the answer can be sent.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > BYTES.body) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Closes the connection after the answer when the request was not read to its end. */
function send(response: ServerResponse, { status, body }: RpcAnswer): void {
  response.writeHead(status, {
    'content-type': body.startsWith('{') || body.startsWith('[') ? 'application/json' : 'text/plain',
    'content-length': Buffer.byteLength(body),
    ...(status === 401 ? { 'www-authenticate': 'Basic realm="jsonrpc"' } : {}),
    ...(response.req.complete ? {} : { connection: 'close' }),
  })
  response.end(body)
}

/** All digests have the same length, so the comparison takes constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Connections without a request are closed at once. */
async function closeServer(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), TIMES.drain)
  await once(server.close(), 'close')
  clearTimeout(timer)
}

interface RpcAnswer {
  readonly status: number
  readonly body: string
}

interface Answering {
  /** A new object for each call. */
  readonly node: () => DevchainNode
  readonly log: Log
}

/**
 * Our client calls them to commit and prove, the OpenTimestamps client to verify. A Map, so that a name such as
 * `constructor` finds nothing.
 */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  Object.entries({ ...chainMethods, ...walletMethods }),
)

const DEEPEST = 16
const MOST_CALLS = 100

/**
 * Never throws. An unexpected error is logged and answered as an internal error.
 * @param allowed the methods that the credential may call. All when undefined. Another one refuses the whole body.
 */
async function answerBody(
  answering: Answering,
  body: Uint8Array,
  allowed?: ReadonlySet<string>,
): Promise<RpcAnswer> {
  const request = readOrUndefined(() => readStrictJson(body, { maxDepth: DEEPEST }))
  if (request === undefined) return refusedWhole('unreadable_request', 'Parse error')
  if (allowed !== undefined && ![request].flat().every((call) => isAllowed(call, allowed)))
    return { status: 403, body: '' }
  if (!Array.isArray(request)) return single(await answerCall(answering, request))
  if (request.length === 0 || request.length > MOST_CALLS)
    return refusedWhole('invalid_request', 'A batch has 1 to 100 calls')
  const answers: Outcome[] = []
  for (const call of request) answers.push(await answerCall(answering, call))
  return { status: 200, body: JSON.stringify(answers.map(({ reply }) => reply)) }
}

/** A call without a known method does nothing, and is answered with an error. */
function isAllowed(call: JsonValue, allowed: ReadonlySet<string>): boolean {
  const name = isJsonObject(call) ? memberOf(call, 'method') : undefined
  return typeof name !== 'string' || allowed.has(name)
}

interface Outcome {
  readonly status: number
  readonly reply: object
}

async function answerCall({ node, log }: Answering, call: JsonValue): Promise<Outcome> {
  const envelope = readEnvelope(call)
  try {
    const result = await carryOut(node, call)
    const { id } = envelope
    return {
      status: 200,
      reply: envelope.isNew ? { jsonrpc: '2.0', result, id } : { result, error: null, id },
    }
  } catch (error) {
    if (error instanceof RpcRefusal) return errorReply(envelope, error)
    // Clients take this code for a node that is still starting. They try again and draw no conclusion about their
    // transaction.
    if (isDatabaseUnavailable(error) || isStatementTimeout(error))
      return errorReply(envelope, refuseCall('not_ready', 'The database does not answer'))
    log.error({ err: error }, 'development_chain.failed')
    return errorReply(envelope, refuseCall('internal', 'Internal error'))
  }
}

function readEnvelope(call: JsonValue) {
  const id = isJsonObject(call) ? memberOf(call, 'id') : undefined
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    /** True for JSON-RPC 2.0, which sends an error with status 200. */
    isNew: isJsonObject(call) && memberOf(call, 'jsonrpc') === '2.0',
  }
}

async function carryOut(node: () => DevchainNode, call: JsonValue): Promise<unknown> {
  if (!isJsonObject(call)) throw refuseCall('invalid_request', 'Invalid Request object')
  const name = memberOf(call, 'method')
  if (typeof name !== 'string') throw refuseCall('invalid_request', 'Method must be a string')
  const parameters = memberOf(call, 'params') ?? []
  if (!Array.isArray(parameters)) throw refuseCall('invalid_request', 'Params must be an array')
  const method = METHODS.get(name)
  if (method === undefined) throw refuseCall('method_not_found', 'Method not found')
  return method(node(), parameters)
}

function errorReply({ id, isNew }: ReturnType<typeof readEnvelope>, { code, message }: RpcRefusal): Outcome {
  const error = { code: RPC_CODES[code], message }
  if (isNew) return { status: 200, reply: { jsonrpc: '2.0', error, id } }
  return { status: statusOf(code), reply: { result: null, error, id } }
}

const statusOf = (code: RpcRefusal['code']): number =>
  code === 'invalid_request' ? 400 : code === 'method_not_found' ? 404 : 500

const single = ({ status, reply }: Outcome): RpcAnswer => ({ status, body: JSON.stringify(reply) })

/** For what belongs to no single call. */
const refusedWhole = (code: RpcRefusal['code'], message: string): RpcAnswer =>
  single(errorReply({ id: null, isNew: false }, refuseCall(code, message)))
