// A beacon goes on being one when its block is committed to a public chain: the same everywhere, with the same content.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { beaconOf, pageOf } from './documents.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  await app.finalize(2)
})
afterAll(() => app.close())

const get = (path: string) => ask(app.port, `/api/json/beacons${path}`, { key: app.owner.key })

it('stays where it was', async () => {
  const before = pageOf(await get('')).data
  await app.query(`UPDATE blocks SET state = 'committed', committed_at = now() WHERE height > 0`)
  expect(pageOf(await get('')).data).toEqual(before)
  for (const { id, attributes } of before) {
    const beacon = { id, ...attributes }
    expect(beaconOf(await get(`/${id}`))).toEqual(beacon)
    expect(beaconOf(await get(`/by-hash/${attributes.hash}`))).toEqual(beacon)
  }
})
