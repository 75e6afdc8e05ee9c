// What the page keeps when the chain was replaced: nothing of the list, and which beacon is no longer there.
import { expect, it } from 'vitest'
import { BeaconFeed } from '../../console-web/src/chain/beacon_feed.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

const beaconAt = (n: number): Beacon => ({
  id: `01a2ce8c-be60-7000-8000-${String(n).padStart(12, '0')}`,
  hash: String(n).padStart(64, '0'),
  timestamp: new Date(Date.UTC(2027, 0, 1) + n * 60_000).toISOString(),
  previous_hash: String(n - 1).padStart(64, '0'),
})

it('shows the break, and starts again with the newest page of the new chain', async () => {
  const chain = [5, 4, 3].map(beaconAt)
  const page = () => ({
    data: chain.map(({ id, ...attributes }) => ({ type: 'beacon', id, attributes })),
    links: { next: null },
  })
  const feed = new BeaconFeed(Object.assign(Object.create(null), { get: async () => page() }))
  expect(await feed.resumeAfter()).toBe(beaconAt(5).id)
  const lost = chain.shift() ?? beaconAt(5)
  feed.startAnew(lost, beaconAt(4))
  expect(feed.state.read()).toMatchObject({
    list: { rows: [] },
    replaced: { lost: lost.id, head: beaconAt(4).id },
  })
  expect(await feed.resumeAfter()).toBe(beaconAt(4).id)
  expect(feed.state.read().list.rows.map(({ id }) => id)).not.toContain(lost.id)
  expect(feed.state.read().replaced).not.toBeNull()
})

it('takes no older page of the chain that was lost', async () => {
  const rowOf = ({ id, ...attributes }: Beacon) => ({ type: 'beacon', id, attributes })
  const answers: (() => void)[] = []
  const get = (path: string) =>
    path.includes('after')
      ? new Promise((resolve) => answers.push(() => resolve({ data: [rowOf(beaconAt(1))], links: {} })))
      : Promise.resolve({
          data: [rowOf(beaconAt(2))],
          links: { next: '/api/json/beacons?page[after]=2&page[limit]=12' },
        })
  const feed = new BeaconFeed(Object.assign(Object.create(null), { get }))
  await feed.resumeAfter()
  const loaded = feed.loadOlder()
  feed.startAnew(beaconAt(2), beaconAt(2))
  await feed.resumeAfter()
  for (const answer of answers) answer()
  await loaded
  expect(feed.state.read()).toMatchObject({ list: { rows: [beaconAt(2)] }, older: { kind: 'idle' } })
})
