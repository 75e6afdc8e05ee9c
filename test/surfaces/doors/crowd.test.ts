// What a crowd at a door takes of the thread while somebody else is here: one of its requests computes in a pass of the
// event loop, so that the other waits for one of them and not for all.
import { expect, it } from 'vitest'
import { ask, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { QUERY_TYPE } from '../../support/time_stamps/query.ts'

const CROWD = 50

const app = testApp({ aggregationIntervalMs: 100 })

const post = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

// They are answered without a round and without a database, whose answers would come in passes of their own.
const REQUESTS = {
  '/stamp': post('/stamp', 'application/json', '{"digests":[]}'),
  '/calendar/digest': post('/calendar/digest', 'application/octet-stream', ''),
  '/tsa': post('/tsa', QUERY_TYPE, 'no query'),
}

/** The most answers between two passes of the event loop. */
async function mostInOnePass(request: string): Promise<number> {
  const wires = await Promise.all(Array.from({ length: CROWD }, () => openWire(app.port)))
  let answered = app.logged.length
  let most = 0
  let isOver = false
  const look = (): void => {
    most = Math.max(most, app.logged.length - answered)
    answered = app.logged.length
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  for (const wire of wires) wire.write(request)
  await Promise.all(wires.map((wire) => wire.until((text) => text.includes('\r\n\r\n'))))
  isOver = true
  for (const { socket } of wires) socket.destroy()
  return most
}

it.each(Object.entries(REQUESTS))('computes one request of a crowd at %s in a pass', async (_, request) => {
  // Once before, so that nothing is made for the first time.
  await mostInOnePass(request)
  await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
  expect(await mostInOnePass(request)).toBe(1)
})
