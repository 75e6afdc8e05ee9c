// The HTTP server of the node. It listens on loopback only and requires one of the two passwords of this start.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Answering, answerBody, type RpcAnswer } from './rpc_call.ts'
import { RPC_CODES } from './rpc_method.ts'
import { WALLET_NAME } from './wallet.ts'

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
  if (path.startsWith('/wallet/') && path !== `/wallet/${WALLET_NAME}`) return NO_SUCH_WALLET
  if (path !== '/' && path !== `/wallet/${WALLET_NAME}`) return { status: 404, body: '' }
  const body = await readBody(request)
  return body === undefined ? { status: 413, body: '' } : answerBody(answering, body, caller.allowed)
}

const NO_SUCH_WALLET: RpcAnswer = {
  status: 500,
  body: JSON.stringify({
    result: null,
    error: {
      code: RPC_CODES.wallet_not_found,
      message: 'Requested wallet does not exist or is not loaded',
    },
    id: null,
  }),
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

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), TIMES.drain)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
