// A proxy that hands on every request, and loses an answer when it is told to: the server has done what it was asked for, and
// the client does not know.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LossyProxy {
  readonly base: string
  /** The server from now on. */
  readonly serve: (port: number) => void
  /** Loses the next answer for this path. */
  readonly loseAnswer: (path: string) => void
  /** How many were lost. */
  readonly lost: () => number
  readonly close: () => Promise<void>
}

export async function openLossyProxy(): Promise<LossyProxy> {
  let port = 0
  let losing: string | undefined
  let lost = 0
  const proxy = createServer((asked, answer) => {
    const { method, url: path, headers } = asked
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (given) => {
      if (path === losing) {
        losing = undefined
        lost += 1
        given.resume()
        given.on('end', () => answer.destroy())
        return
      }
      answer.writeHead(given.statusCode ?? 502, given.rawHeaders)
      given.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    serve: (to) => {
      port = to
    },
    loseAnswer: (path) => {
      losing = path
    },
    lost: () => lost,
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
