// What fills the picture: what is asked for before there is a connection, at each connection, and when a block was missed.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BeaconFeed } from '../../console-web/src/chain/beacon_feed.ts'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { Store } from '../../console-web/src/data/store.ts'
import { LiveEvents } from '../../console-web/src/data/stream/live_events.ts'
import { PictureFeed } from '../../console-web/src/picture/picture_feed.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'

const soon = { timeout: 60_000, interval: 5 }

beforeEach(() => {
  const nothing = (): void => undefined
  vi.stubGlobal('document', { hidden: false, addEventListener: nothing, removeEventListener: nothing })
})
afterEach(() => vi.unstubAllGlobals())

const START = Date.parse('2026-01-01T14:00:00.000Z')
const idOf = (height: number): string => `01a2ce8c-be60-7000-8000-${String(height).padStart(12, '0')}`
const timeOf = (height: number): string => new Date(START + height * 60_000).toISOString()

const beaconAt = (height: number): Beacon => ({
  id: idOf(height),
  hash: String(height + 1).padStart(64, '0'),
  timestamp: timeOf(height),
  previous_hash: String(height).padStart(64, '0'),
})
const blockAt = (height: number): JsonValue => ({
  type: 'block',
  id: idOf(height),
  attributes: {
    height,
    state: 'finalized',
    item_count: 0,
    observation_count: 0,
    finalized_at: timeOf(height),
  },
})

/** A service with so many blocks. `items` are the names of the team's items, or null where they cannot be read. */
const openPicture = (items: readonly string[] | null = []) => {
  const asked: string[] = []
  let height = 3
  let counts: (() => Promise<number>) | null = null
  const get = async (path: string): Promise<JsonValue> => {
    const url = new URL(path, 'http://pharos.test')
    const what = url.searchParams.has('page[count]') ? 'count' : url.pathname.replace('/api/json/', '')
    asked.push(what)
    if (what === 'blocks') return { data: [height, height - 1, height - 2].map(blockAt), links: {} }
    if (what === 'count') {
      const total = counts === null ? 7 : await counts()
      return { data: [], links: {}, meta: { page: { total } } }
    }
    if (what !== 'items') return { data: [], links: {} }
    if (items === null) throw new ApiFailure('refused', 'not here')
    const attributes = (name: string) => ({ display_name: name, block_id: idOf(2) })
    return {
      data: items.map((name) => ({ type: 'item', id: name, attributes: attributes(name) })),
      links: {},
    }
  }
  const refuse = (): Promise<never> => Promise.reject(new ApiFailure('refused', 'not here'))
  const api: Api = { get, text: refuse, post: refuse, patch: refuse, delete: refuse }
  const live = new LiveEvents()
  const opens: (() => void)[] = []
  const listeners = new Map<string, (event: string, body: unknown) => void>()
  live.follow = (stream, { opened, heard }) => {
    opens.push(opened)
    listeners.set(stream, heard)
    return () => undefined
  }
  const feed = new BeaconFeed(api)
  const picture = new PictureFeed({ api, live, feed, clockOffset: new Store(0) })
  return {
    feed,
    picture,
    asked: () => asked.toSorted(),
    forget: (): void => void asked.splice(0),
    /** A connection, in which all streams are subscribed to. */
    connect: (): void => {
      for (const open of opens) open()
    },
    finalize: (): void => {
      height += 1
    },
    countBy: (count: () => Promise<number>): void => {
      counts = count
    },
    submit: (): void => listeners.get('items')?.('item.created', { at: timeOf(height + 1) }),
    state: () => picture.state.read(),
  }
}

it('reads the blocks and the items before there is a connection, and not again when the first one opens', async () => {
  const { picture, asked, forget, connect, state } = openPicture(['contract.pdf'])
  const end = picture.attach()
  await expect.poll(() => [state().isRead, state().hasItems], soon).toEqual([true, true])
  expect(asked()).toEqual(['blocks', 'items'])
  forget()
  connect()
  await expect.poll(() => state().submitted?.[0]?.items, soon).toBe(7)
  expect(asked()).toEqual(['count', 'epochs'])
  forget()
  connect()
  await expect.poll(asked, soon).toEqual(['blocks', 'count', 'epochs', 'items'])
  end()
})

it('knows of no items only when there are none', async () => {
  for (const [items, hasItems] of [
    [[], false],
    [null, true],
  ] as const) {
    const { picture, state } = openPicture(items)
    const end = picture.attach()
    await expect.poll(() => state().hasItems, soon).toBe(hasItems)
    end()
  }
})

it('reads the blocks again when the newest beacon has come and its block has not', async () => {
  const { picture, feed, asked, forget, connect, finalize, state } = openPicture()
  const end = picture.attach()
  await feed.resumeAfter().catch(() => undefined)
  await expect.poll(() => state().isRead, soon).toBe(true)
  connect()
  await expect.poll(() => state().submitted?.[0]?.items, soon).toBe(7)
  forget()
  finalize()
  feed.received(beaconAt(4))
  await expect.poll(() => state().tiles.at(-1)?.height, soon).toBe(4)
  // The names of the seven items that waited as well.
  await expect.poll(asked, soon).toEqual(['blocks', 'items'])
  end()
})

it('counts the items of the team again when one came while they were counted', async () => {
  const { picture, connect, countBy, submit, state } = openPicture()
  const answers: ((total: number) => void)[] = []
  countBy(() => new Promise((resolve) => answers.push(resolve)))
  const end = picture.attach()
  connect()
  await expect.poll(() => answers.length, soon).toBe(1)
  submit()
  answers[0]?.(0)
  await expect.poll(() => answers.length, soon).toBe(2)
  answers[1]?.(1)
  await expect.poll(() => state().submitted?.[0]?.items, soon).toBe(1)
  end()
})
