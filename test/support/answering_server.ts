// An HTTP server on this machine that gives the answers of a test and records the requests.
import { createServer, type RequestListener } from 'node:http'

export type AnswerWith = string | Uint8Array | { readonly status: number } | RequestListener

export interface AnsweringServer {
  /** Base address, without a slash at the end. */
  readonly address: string
  /** Answers by path and query exactly as sent; any other request gets 404. May be changed at any time. */
  readonly answers: Map<string, AnswerWith>
  /** Every path requested so far. */
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
