// Subscriptions that have had every beacon so far: what is new comes from memory, however many blocks one read brings.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlacedBeacon } from '../../../server/domain/beacons/beacon.ts'
import { type BeaconFeed, createBeaconFeed } from '../../../server/domain/beacons/beacon_feed.ts'
import { type CatchUp, openCatchUp } from '../../../server/domain/beacons/catch_up.ts'
import { beaconSource } from '../../../server/surfaces/graphql/schema/subscriptions.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()
let feed: BeaconFeed
let beacons: CatchUp
/** Pages that were read for the subscriptions. */
let pages = 0
beforeAll(async () => {
  await app.finalize(30)
  const em = () => app.store.em()
  const unused = (): never => {
    throw new Error('Nothing goes wrong here.')
  }
  const log = Object.assign(Object.create(null), { info: unused, warn: unused, error: unused })
  // No poll: one `refresh` is one read.
  feed = createBeaconFeed({ em, log, connected: () => true, pollMs: 600_000 })
  await feed.start()
  const counted = () => {
    pages += 1
    return em()
  }
  beacons = openCatchUp({ em: counted, feed, log })
})
afterAll(async () => {
  await feed.close()
})

const chain = async (): Promise<string[]> =>
  (await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height')).map(({ id }) => id)

type Source = ReturnType<typeof beaconSource>

async function take(source: Source, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const { value } = await source.next()
    if (value === undefined || !('id' in value)) throw new Error('The chain goes on.')
    ids.push(value.id)
  }
  return ids
}

const after = (place: PlacedBeacon): Source => beaconSource(beacons, 'ada', place)

it.each([1, 2, 25])(
  '%i blocks told in one read come to every live subscription without a page',
  async (made) => {
    pages = 0
    const sources = Array.from({ length: 20 }, () => after(feed.head()))
    const told = sources.map((source) => take(source, made))
    await app.finalize(made)
    await feed.refresh()
    const expected = (await chain()).slice(-made)
    expect(await Promise.all(told)).toEqual(sources.map(() => expected))
    expect(pages).toBe(0)
    for (const source of sources) await source.return?.()
  },
)

it('a subscription that is further behind than memory reads a page, and is live after it', async () => {
  pages = 0
  const source = after(feed.head())
  const first = take(source, 1)
  await app.finalize(1)
  await feed.refresh()
  await first
  await app.finalize(30)
  await feed.refresh()
  expect(await take(source, 30)).toEqual((await chain()).slice(-30))
  expect(pages).toBe(1)
  await source.return?.()
})

it('a subscription that begins at an older beacon waits for a turn, though memory has what follows', async () => {
  pages = 0
  const place = feed.head()
  await app.finalize(2)
  await feed.refresh()
  const source = after(place)
  expect(await take(source, 2)).toEqual((await chain()).slice(-2))
  expect(pages).toBe(1)
  await source.return?.()
})
