// A proxy that gives every request to the next server in turn, so that nothing can depend on what one server remembers.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AlternatingProxy {
  readonly base: string
  /** The servers from now on. */
  readonly serve: (ports: readonly number[]) => void
  readonly close: () => Promise<void>
}

export async function openAlternatingProxy(): Promise<AlternatingProxy> {
  let servers: readonly number[] = []
  let turn = 0
  const proxy = createServer((asked, answer) => {
    turn += 1
    const { method, url: path, headers } = asked
    const port = servers[turn % servers.length]
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (given) => {
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
    serve: (ports) => {
      servers = ports
    },
    close: async () => {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
