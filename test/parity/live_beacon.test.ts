// A new beacon as every surface tells it: the console stream and the GraphQL stream live, JSON:API and GraphQL when asked.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { ask, eventually } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { connect } from '../surfaces/console/console_client.ts'
import { BEACON_CREATED, enterStream } from '../surfaces/graphql/stream_client.ts'

const app = testApp()

const fields = z.strictObject({
  id: z.string(),
  hash: z.string(),
  timestamp: z.string(),
  previousHash: z.string(),
})
const told = z.object({ data: z.object({ beaconCreated: fields }) })

it('says the same of it, on one server, side by side', async () => {
  const console_ = await connect(`http://127.0.0.1:${app.port}`, app.owner.key)
  expect(await console_.ask('subscribe', { stream: 'beacons' })).toMatchObject({ ok: true })
  const stream = await enterStream(app.port, app.owner.key)
  stream.say({ id: 'a', type: 'subscribe', payload: { query: BEACON_CREATED } })
  stream.say({ type: 'ping' })
  await stream.hear('pong')
  await app.finalize(1)
  const live = await eventually(() => console_.beacons()[0])
  const { previous_hash: previousHash, ...rest } = live
  const inGraphql = told.parse(await eventually(() => stream.payloads('a')[0])).data.beaconCreated
  expect(inGraphql).toEqual({ ...rest, previousHash })
  const asked = await ask(app.port, `/api/json/beacons/${live.id}`, { key: app.owner.key })
  expect(asked.json()).toEqual(live)
  console_.socket.disconnect()
  stream.socket.close()
})
