// The HTTP server of the node. It listens on loopback only and requires the password of this start.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Answering, answerBody, type RpcAnswer } from './rpc_call.ts'
import { RPC_CODES } from './rpc_refusal.ts'
import { WALLET_NAME } from './wallet.ts'

export interface RpcServer {
  /** Contains the credentials. Never log it. */
  readonly url: string
  readonly close: () => Promise<void>
}

const BYTES = { header: 8_192, body: 1_048_576 } as const
/** Milliseconds. */
const TIMES = { headers: 5_000, request: 10_000, drain: 2_000 } as const
const MOST_CONNECTIONS = 64

const USER = 'pharos'

/** @param password must contain only characters that need no escaping in a URL */
export async function openRpcServer(answering: Answering, password: string): Promise<RpcServer> {
  const expected = digest(`Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`)
  const isKnown = ({ headers }: IncomingMessage): boolean =>
    timingSafeEqual(digest(headers.authorization ?? ''), expected)
  const server = createServer({ maxHeaderSize: BYTES.header }, (request, response) => {
    answerRequest(answering, request, isKnown).then(
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
    url: `http://${USER}:${password}@127.0.0.1:${port}/wallet/${WALLET_NAME}`,
    close: () => closeServer(server),
  }
}

async function answerRequest(
  answering: Answering,
  request: IncomingMessage,
  isKnown: (request: IncomingMessage) => boolean,
): Promise<RpcAnswer> {
  if (request.method !== 'POST') return { status: 405, body: 'JSONRPC server handles only POST requests' }
  if (!isKnown(request)) return { status: 401, body: '' }
  const path = request.url ?? ''
  if (path.startsWith('/wallet/') && path !== `/wallet/${WALLET_NAME}`) return NO_SUCH_WALLET
  if (path !== '/' && path !== `/wallet/${WALLET_NAME}`) return { status: 404, body: '' }
  const body = await readBody(request)
  return body === undefined ? { status: 413, body: '' } : answerBody(answering, body)
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
