// A beacon goes on being one when its block is committed to a public chain: the same everywhere, with the same content.
import { beforeAll, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { beaconOf, pageOf } from './documents.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(2)
})

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
