// An HTTP server on this machine that says what a test wants it to say, and remembers what it was asked.
import { createServer, type RequestListener } from 'node:http'

export type AnswerWith = string | Uint8Array | { readonly status: number } | RequestListener

export interface AnsweringServer {
  /** Base address, without a slash at its end. */
  readonly address: string
  /** By path and query as they are sent; anything else is 404. Change it at any time. */
  readonly answers: Map<string, AnswerWith>
  /** Every path asked for so far. */
  readonly asked: string[]
  readonly close: () => Promise<void>
}

export async function openAnsweringServer(): Promise<AnsweringServer> {
  const answers = new Map<string, AnswerWith>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answer = answers.get(path) ?? { status: 404 }
    if (typeof answer === 'function') return answer(request, response)
    if (typeof answer === 'string' || answer instanceof Uint8Array) return response.end(answer)
    response.writeHead(answer.status).end('{}')
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return {
    address: `http://127.0.0.1:${port}`,
    answers,
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
