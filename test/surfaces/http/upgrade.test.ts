// Requests that ask for another protocol: WebSocket where something speaks it, an ordinary answer to any other offer.
import { expect, it } from 'vitest'
import { openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()

const answer = async (path: string, upgrade: string, method = 'GET', body = ''): Promise<string> => {
  const wire = await openWire(app.port)
  wire.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return wire.ended
}

it('an offer of HTTP/2 is ignored, and the request answered', async () => {
  expect(await answer('/api/json/beacons/latest', 'h2c')).toMatch(/^HTTP\/1\.1 200 /)
  const query = JSON.stringify({ query: '{ latestBeacon { id } }' })
  expect(await answer('/gql', 'h2c', 'POST', query)).toMatch(/^HTTP\/1\.1 200 /)
})

it.each(['/', '/api/json/beacons', '/gql/more', '/socket.iox'])(
  'WebSocket at %s is answered 404, and does not hang',
  async (path) => {
    expect(await answer(path, 'websocket')).toMatch(/^HTTP\/1\.1 404 /)
  },
)
