// The blocks of the picture: an unbroken run of the newest, whatever the stream says of them and whatever it leaves out.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BeaconFeed } from '../../console-web/src/chain/beacon_feed.ts'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import type { Follower } from '../../console-web/src/data/stream/live_events.ts'
import { LiveList } from '../../console-web/src/data/stream/live_list.ts'
import { MOST_TILES } from '../../console-web/src/picture/tile.ts'
import { lookForBlocks, TILES } from '../../console-web/src/picture/use_tiles.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Longer than anything is put off. */
const settle = () => vi.advanceTimersByTimeAsync(6_000)

const START = Date.parse('2026-01-01T14:00:00.000Z')
const idOf = (height: number): string => `01a2ce8c-be60-7000-8000-${String(height).padStart(12, '0')}`
const timeOf = (height: number): string => new Date(START + height * 60_000).toISOString()

const beaconAt = (height: number): Beacon => ({
  id: idOf(height),
  hash: String(height + 1).padStart(64, '0'),
  timestamp: timeOf(height),
  previous_hash: String(height).padStart(64, '0'),
})
const membersOf = (height: number, state: string) => ({
  height,
  state,
  item_count: 0,
  observation_count: 0,
  finalized_at: timeOf(height),
})

/** A service with so many blocks, of which the first ones are committed. */
const openBlocks = (count: number) => {
  let blocks = count
  let committed = 0
  let reads = 0
  let follower: Follower | null = null
  const blockAt = (height: number): JsonValue => ({
    type: 'block',
    id: idOf(height),
    attributes: membersOf(height, height < committed ? 'committed' : 'finalized'),
  })
  const get = async (): Promise<JsonValue> => {
    reads += 1
    const newest = Array.from({ length: Math.min(blocks, MOST_TILES) }, (_, at) => blocks - 1 - at)
    return { data: newest.map(blockAt), links: { next: '/api/json/blocks?older' } }
  }
  const live = {
    follow: (_: string, given: Follower) => {
      follower = given
      return () => undefined
    },
  }
  const list = new LiveList({ api: { get }, live }, TILES)
  const tell = (event: string, body: unknown): void => follower?.heard(event, body)
  return {
    list,
    reads: () => reads,
    heights: () => list.state.read().rows.map(({ height }) => height),
    committed: () =>
      list.state
        .read()
        .rows.filter((row) => row.committed)
        .map(({ height }) => height),
    connect: () => follower?.opened(),
    finalize: (more = 1): void => {
      blocks += more
    },
    commit: (first: number): void => {
      committed = first
    },
    told: (height: number, event = 'block.finalized') =>
      tell(event, {
        data: { id: idOf(height), ...membersOf(height, event.replace('block.', '')) },
      }),
    burst: (kinds: Readonly<Record<string, number>>) => tell('blocks.burst', { by_kind: kinds }),
  }
}

const down = (newest: number, length: number): number[] => Array.from({ length }, (_, at) => newest - at)

it('grow by the block that comes, without a request, and forget the oldest', async () => {
  const { list, reads, heights, told } = openBlocks(MOST_TILES + 10)
  const end = list.start()
  await settle()
  expect(heights()).toEqual(down(MOST_TILES + 9, MOST_TILES))
  told(MOST_TILES + 10)
  await settle()
  expect(heights()).toEqual(down(MOST_TILES + 10, MOST_TILES))
  expect([list.state.read().arrived, reads()]).toEqual([idOf(MOST_TILES + 10), 1])
  end()
})

it('are read again where one is missing, and never stand beside a gap', async () => {
  const { list, heights, finalize, told } = openBlocks(4)
  const end = list.start()
  await settle()
  expect(heights()).toEqual(down(3, 4))
  finalize(3)
  told(6)
  await settle()
  expect(heights()).toEqual(down(6, 7))
  end()
})

it('are read again when so many came that the stream sends their sum, and when so many were committed', async () => {
  const { list, heights, committed, connect, finalize, commit, burst } = openBlocks(4)
  const end = list.start()
  connect()
  await settle()
  expect(heights()).toEqual(down(3, 4))
  finalize(40)
  burst({ 'block.finalized': 40 })
  await settle()
  expect(heights()).toEqual(down(43, 44))
  commit(30)
  burst({ 'block.committed': 30 })
  await settle()
  expect(committed()).toEqual(down(29, 30))
  end()
})

it('are committed when the stream says so, and stay so whatever was sent before', async () => {
  const { list, committed, heights, told } = openBlocks(4)
  const end = list.start()
  await settle()
  expect(heights()).toEqual(down(3, 4))
  told(2, 'block.committed')
  await settle()
  expect(committed()).toEqual([2])
  told(2)
  told(3, 'block.committed')
  await settle()
  expect(committed()).toEqual([3, 2])
  await list.read()
  expect(committed()).toEqual([3, 2])
  end()
})

it('are read again when the newest beacon has come and its block has not', async () => {
  const refuse = (): Promise<never> => Promise.reject(new ApiFailure('refused', 'not here'))
  const api: Api = { get: refuse, text: refuse, post: refuse, patch: refuse, delete: refuse }
  const feed = new BeaconFeed(api)
  const { list, heights, finalize } = openBlocks(4)
  const end = list.start()
  const unfollow = lookForBlocks(feed, list)
  await settle()
  expect(heights()).toEqual(down(3, 4))
  finalize()
  feed.received(beaconAt(4))
  await settle()
  expect(heights()).toEqual(down(4, 5))
  unfollow()
  end()
})

it('are read once when the stream opens soon after, and again when it took long or opens anew', async () => {
  const { list, reads, committed, connect, commit } = openBlocks(4)
  const end = list.start()
  await vi.advanceTimersByTimeAsync(500)
  connect()
  await settle()
  expect(reads()).toBe(1)
  commit(2)
  connect()
  await settle()
  expect([reads(), committed()]).toEqual([2, [1, 0]])
  end()

  const slow = openBlocks(4)
  const endSlow = slow.list.start()
  await settle()
  slow.commit(3)
  slow.connect()
  await settle()
  expect([slow.reads(), slow.committed()]).toEqual([2, [2, 1, 0]])
  endSlow()
})
