// One connection of a client, kept as long as the server allows: how most clients use an API.
import { Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Lane {
  /** How many connections were needed so far. */
  readonly connections: () => number
  /** @throws when the answer is incomplete */
  readonly ask: (method: 'GET' | 'POST', path: string, body?: string) => Promise<Answer>
  readonly close: () => void
}

export function openLane(port: number, key: string): Lane {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let connections = 0
  return {
    connections: () => connections,
    close: () => agent.destroy(),
    ask: (method, path, body = '') =>
      new Promise<Answer>((resolve, reject) => {
        const asked = request(
          {
            ...{ agent, host: '127.0.0.1', port, method, path },
            headers: {
              authorization: `Bearer ${key}`,
              ...(method === 'POST' && { 'content-type': 'application/json', 'content-length': body.length }),
            },
          },
          (response) => {
            let text = ''
            response.setEncoding('utf8')
            response.on('data', (part) => {
              text += part
            })
            response.on('error', reject)
            response.on('end', () =>
              resolve({ status: response.statusCode, headers: response.headers, body: text }),
            )
          },
        )
        asked.on('socket', (socket) => {
          if (socket.connecting) connections += 1
        })
        asked.on('error', reject)
        asked.end(body)
      }),
  }
}

const ITEM = JSON.stringify({
  data: {
    type: 'item',
    attributes: { claims: { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' } },
  },
})

/** A read, a write, and a GraphQL query. */
export const ASKS = [
  ['GET', '/api/json/beacons/latest', ''],
  ['POST', '/api/json/items', ITEM],
  ['POST', '/gql', JSON.stringify({ query: '{ latestBeacon { hash } }' })],
] as const
