// The way to a service that a test listens on: what is asked, and the moments at which it is asked and answered. Where the
// service asks for a pause, a second is asked for here.
import { createServer } from 'node:http'

export interface HeardRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface HeardWay {
  /** Base address, without a slash at the end. */
  readonly address: string
  /** Every request so far. */
  readonly heard: readonly HeardRequest[]
  /** Is awaited before a request is sent on, and before its answer is. */
  onRequest: (moment: 'asked' | 'answered', path: string) => Promise<void> | void
  readonly close: () => Promise<void>
}

/** Names of header fields that are about one connection. */
const OF_CONNECTION = ['host', 'connection', 'content-length', 'transfer-encoding']

/** @param base of the service */
export async function openWay(base: () => string): Promise<HeardWay> {
  const heard: HeardRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '', headers } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    heard.push({ method, path, body: body.toString() })
    await way.onRequest('asked', path)
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' && !OF_CONNECTION.includes(name) ? [[name, value]] : [],
    )
    const answer = await fetch(`${base()}${path}`, {
      method,
      headers: sent,
      ...(body.length === 0 ? {} : { body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    await way.onRequest('answered', path)
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...(answer.headers.has('retry-after') ? { 'retry-after': '1' } : {}),
    })
    response.end(bytes)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const bound = server.address()
  const way: HeardWay = {
    address: `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`,
    heard,
    onRequest: () => undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
  return way
}
