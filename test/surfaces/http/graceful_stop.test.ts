// A stop lets requests under way finish, turns new ones away, and leaves no session in the database behind.
import pg from 'pg'
import { expect, it } from 'vitest'
import { openTestApp } from '../../support/app.ts'
import { eventually, openWire } from '../../support/http.ts'
import { itemBody } from '../jsonapi/item_documents.ts'

it('a request under way is answered, and what it recorded is durable', async () => {
  const app = await openTestApp()
  const wire = await openWire(app.port)
  const body = JSON.stringify(itemBody().json)
  wire.write(
    `POST /api/json/items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`,
  )
  const idle = await openWire(app.port)
  idle.write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
  await idle.until((got) => got.includes('"live"'))
  const stopped = app.stop()
  await idle.ended
  await expect(openWire(app.port)).rejects.toThrow()
  wire.write(body.slice(20))
  const text = await wire.until((got) => got.includes('"type":"item"'))
  expect(text).toMatch(/^HTTP\/1\.1 201 /)
  wire.socket.destroy()
  await stopped
  // On a connection that is closed at once: what `app.query` uses stays for a while, and is a session too.
  const reader = new pg.Client({ connectionString: app.database.url })
  await reader.connect()
  expect((await reader.query('SELECT state FROM shown_items')).rows).toEqual([{ state: 'created' }])
  await reader.end()
  await app.store.close()
  const sessions = () =>
    app.database.maintain('SELECT application_name FROM pg_stat_activity WHERE datname = $1', [
      new URL(app.database.url).pathname.slice(1),
    ])
  await eventually(async () => ((await sessions()).rows.length === 0 ? true : undefined))
  await app.database.drop()
})

it('a request that never ends is cut off after a few seconds, and the stop completes', async () => {
  const app = await openTestApp()
  const wire = await openWire(app.port)
  wire.write(
    `POST /api/json/items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  const began = performance.now()
  await app.close()
  await wire.ended
  expect(performance.now() - began).toBeLessThan(25_000)
})
