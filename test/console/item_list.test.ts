// The page's list of items: nothing that was shown vanishes, what happened is shown in place, and new items are read.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { type Follower, LiveEvents, type LiveStream } from '../../console-web/src/data/stream/live_events.ts'
import { LiveList } from '../../console-web/src/data/stream/live_list.ts'
import { AUDIENCES, type ListedItem } from '../../console-web/src/items/item.ts'
import {
  addressOf,
  applyCarried,
  applyNews,
  digestIn,
  type ItemFilter,
  itemsOf,
  mayFit,
  NO_FILTER,
  readFilter,
  readItemNews,
  requestsOf,
  STATES,
} from '../../console-web/src/items/item_filter.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'

const idOf = (n: number) => `01MB78W7FGY7TZHKNWE7${String(n).padStart(6, '0')}`

const row = (n: number, more: Partial<ListedItem> = {}): ListedItem => ({
  id: idOf(n),
  state: 'created',
  visibility: 'private',
  tags: [],
  name: `Paper ${n}`,
  digest: null,
  blockId: null,
  blockState: null,
  proofAvailableAt: null,
  insertedAt: '2027-01-01T00:00:00.000Z',
  left: null,
  ...more,
})

const body = (n: number, more: Readonly<Record<string, JsonValue>> = {}) => ({
  data: {
    id: idOf(n),
    state: 'created',
    visibility: 'private',
    tags: [],
    block_id: null,
    inserted_at: '2027-01-01T00:00:00.000Z',
    ...more,
  },
})

const news = (n: number, more: Readonly<Record<string, JsonValue>> = {}) => readItemNews(body(n, more).data)

const names = (list: readonly ListedItem[]) =>
  list.map(({ name, state, left }) => [name, state, left].join(' ').trim())

describe('the list of items', () => {
  it('changes rows in place, and takes no name from an event, which has none', () => {
    const held = [row(2), row(1)]
    const blockId = '01a2ce8c-be60-74a1-9884-d675915e9850'
    const committed = applyNews(held, 'item.committed', news(1, { state: 'committed', block_id: blockId }))
    expect(names(committed)).toEqual(['Paper 2 created', 'Paper 1 committed'])
    expect(applyCarried(committed, blockId)[1]?.blockState).toBe('committed')
    expect(names(applyNews(committed, 'item.redacted', news(2, { state: 'redacted' })))[0]).toBe('redacted')
    expect(names(applyNews(committed, 'item.deleted', news(1)))[1]).toContain('deleted')
    // The event of the creation may come after the read that already knows more.
    expect(applyNews(committed, 'item.created', news(1))).toEqual(committed)
    expect(applyNews(held, 'item.created', news(9))).toEqual(held)
  })
})

const minute = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 16))
const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => !text.includes('\0'))
const filters: fc.Arbitrary<ItemFilter> = fc
  .record({
    state: fc.option(fc.constantFrom(...STATES)),
    tag: fc.option(word),
    visibility: fc.option(fc.constantFrom(...AUDIENCES)),
    from: fc.option(minute),
    to: fc.option(minute),
    text: fc.option(word),
    whole: fc.option(fc.constant('yes' as const)),
  })
  .map((filter) => ({ ...filter, whole: filter.text === null ? null : filter.whole }))

describe('the filter of items', () => {
  it('reads from an address what was written to it', () => {
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readFilter(new URL(addressOf(filter), 'http://x').search)).toEqual(filter)
      }),
    )
  })

  it('never throws at an address, and leaves out what cannot be meant', () => {
    fc.assert(fc.property(fc.string(), (search) => void requestsOf(readFilter(search), 50)))
    expect(readFilter('?state=lost&from=yesterday&to=2027-13-01T00:00&text=&whole=yes&tag=%00')).toEqual(
      NO_FILTER,
    )
  })

  it('asks for a name by its part, for an id, for a digest by every hash that has its length', () => {
    const asked = (filter: Partial<ItemFilter>) =>
      requestsOf({ ...NO_FILTER, ...filter }, 50).map((path) =>
        [...new URL(path, 'http://x').searchParams]
          .filter(([name]) => name.startsWith('filter'))
          .flat()
          .join('='),
      )
    expect(asked({})).toEqual([''])
    expect(asked({ text: 'paper' })).toEqual(['filter[display_name][contains]=paper'])
    expect(asked({ text: 'paper', whole: 'yes' })).toEqual(['filter[display_name]=paper'])
    const digest = 'AB'.repeat(32)
    expect(asked({ text: digest })).toEqual(
      ['hash', 'item_hash', 'claims_hash'].map((name) => `filter[${name}]=${digest.toLowerCase()}`),
    )
    expect(asked({ text: 'ab'.repeat(16) })).toEqual([`filter[hash]=${'ab'.repeat(16)}`])
    expect(digestIn('ab'.repeat(15))).toBeNull()
    expect(asked({ text: idOf(1).toLowerCase(), tag: 'papers' })).toEqual([
      `filter[tags][has]=papers=filter[id]=${idOf(1)}`,
    ])
    expect(asked({ from: '2027-01-01T00:02', to: '2027-01-01T00:04' })).toEqual([
      'filter[inserted_at][gte]=2027-01-01T00:02:00.000Z=filter[inserted_at][lt]=2027-01-01T00:05:00.000Z',
    ])
  })

  it('ends with a minute, or with a millisecond, and both are in it', () => {
    const news = (inserted_at: string) => readItemNews(body(1, { inserted_at }).data)
    for (const [to, last, next] of [
      ['2027-01-01T00:04', '2027-01-01T00:04:59.999Z', '2027-01-01T00:05:00.000Z'],
      ['2027-01-01T00:04:07.120', '2027-01-01T00:04:07.120Z', '2027-01-01T00:04:07.121Z'],
    ] as const) {
      const filter = readFilter(`?to=${to}`)
      expect([mayFit(filter, news(last)), mayFit(filter, news(next))]).toEqual([true, false])
    }
  })

  it('lets the service decide what an event cannot say', () => {
    const made = news(1, { tags: ['invoices'], visibility: 'team' })
    expect(mayFit({ ...NO_FILTER, tag: 'invoices', text: 'any' }, made)).toBe(true)
    expect(mayFit({ ...NO_FILTER, tag: 'letters' }, made)).toBe(false)
    expect(mayFit({ ...NO_FILTER, visibility: 'public' }, made)).toBe(false)
    expect(mayFit({ ...NO_FILTER, from: '2027-01-01T00:00', to: '2027-01-01T00:00' }, made)).toBe(true)
    expect(mayFit({ ...NO_FILTER, from: '2027-01-01T00:01' }, made)).toBe(false)
  })
})

/** A service in memory: pages of its items, and a stream of events. */
const openService = () => {
  const items: ListedItem[] = []
  const asked: string[] = []
  let fails: Error | null = null
  const never = () => Promise.reject(new Error('not asked here'))
  const get = async (path: string): Promise<JsonValue> => {
    asked.push(path)
    if (fails !== null) throw fails
    const said = new URL(path, 'http://x').searchParams
    const limit = Number(said.get('page[limit]'))
    const after = said.get('after')
    const newest = items
      .toSorted((a, b) => (a.id < b.id ? 1 : -1))
      .filter(({ id }) => after === null || id < after)
    const page = newest.slice(0, limit)
    return {
      data: page.map((item) => ({
        type: 'item',
        id: item.id,
        attributes: {
          state: item.state,
          visibility: item.visibility,
          tags: [...item.tags],
          display_name: item.name,
          hash: item.digest,
          block_id: item.blockId,
          proof_available_at: null,
          inserted_at: item.insertedAt,
        },
      })),
      links: {
        next: newest.length > limit ? `/api/json/items?page[limit]=${limit}&after=${page.at(-1)?.id}` : null,
      },
    }
  }
  const followers = new Map<LiveStream, Follower>()
  const live = new LiveEvents()
  live.follow = (stream, follower) => {
    followers.set(stream, follower)
    return () => followers.delete(stream)
  }
  const api: Api = { get, text: never, post: never, patch: never, delete: never }
  const tell = (event: string, said: unknown = {}) =>
    followers.get(event.startsWith('block') ? 'blocks' : 'items')?.heard(event, said)
  const make = (n: number, more: Partial<ListedItem> = {}) => {
    items.push(row(n, more))
    tell('item.created', body(n))
  }
  return {
    api,
    live,
    items,
    asked,
    tell,
    make,
    connect: () => followers.get('items')?.opened(),
    drop: () => followers.get('items')?.closed(),
    fail: (error: Error | null) => {
      fails = error
    },
  }
}

describe('the feed of items', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const opened = async (filter: Partial<ItemFilter> = {}, made = 3) => {
    const service = openService()
    for (let n = 1; n <= made; n += 1) service.items.push(row(n))
    const feed = new LiveList(service, itemsOf({ ...NO_FILTER, ...filter }))
    const stop = feed.start()
    service.connect()
    await vi.advanceTimersByTimeAsync(1)
    const shown = () => names(feed.state.read().rows)
    return { ...service, service, feed, stop, shown, state: () => feed.state.read() }
  }

  it('reads new items soon, many of them in one request, and no oftener than every few seconds', async () => {
    const { make, shown, asked, stop } = await opened()
    expect(shown()).toHaveLength(3)
    for (let n = 10; n < 40; n += 1) make(n)
    await vi.advanceTimersByTimeAsync(4_000)
    expect(shown()).toHaveLength(33)
    expect(asked).toHaveLength(2)
    for (let n = 40; n < 50; n += 1) {
      make(n)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    await vi.advanceTimersByTimeAsync(5_000)
    expect(shown()).toHaveLength(43)
    expect(asked.length).toBeLessThan(7)
    stop()
  })

  it('changes states at once, without a request', async () => {
    const { tell, shown, asked, stop } = await opened()
    tell('item.committed', body(2, { state: 'committed', block_id: 'b' }))
    await vi.advanceTimersByTimeAsync(50)
    expect(shown()[1]).toBe('Paper 2 committed')
    expect(asked).toHaveLength(1)
    stop()
  })

  it('loses no row to a burst, nor to a break of the connection, however much came while somebody reads', async () => {
    const { items, tell, drop, connect, shown, feed, stop } = await opened({}, 120)
    await feed.loadOlder()
    expect(shown()).toHaveLength(100)
    const before = shown()
    drop()
    for (let n = 200; n < 500; n += 1) items.push(row(n))
    connect()
    await vi.advanceTimersByTimeAsync(10)
    expect(shown()).toHaveLength(400)
    expect(shown().slice(-100)).toEqual(before)
    feed.hold()
    for (let n = 1_000; n < 2_500; n += 1) items.push(row(n))
    tell('items.burst', {})
    await vi.advanceTimersByTimeAsync(5_000)
    expect(shown()).toHaveLength(400)
    expect(feed.state.read().isBehind).toBe(true)
    feed.release()
    await vi.advanceTimersByTimeAsync(10)
    expect(shown()[0]).toBe('Paper 2499 created')
    expect(feed.state.read().isBehind).toBe(false)
    stop()
  })

  it('does not look through all names at each event, but counts what may be there', async () => {
    const { make, state, asked, feed, stop } = await opened({ text: 'Paper' })
    make(10)
    make(11)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toHaveLength(1)
    expect(state().unread).toBe(2)
    await feed.read()
    expect(state().unread).toBe(0)
    expect(state().rows).toHaveLength(5)
    stop()
  })

  it('says a refusal, goes on after a failure that passes, and keeps its rows meanwhile', async () => {
    const { fail, make, shown, stop, feed, service } = await opened()
    fail(new ApiFailure('unreachable', 'The server cannot be reached.'))
    make(10)
    await vi.advanceTimersByTimeAsync(4_500)
    expect(shown()).toHaveLength(3)
    fail(null)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(shown()).toHaveLength(4)
    fail(new ApiFailure('refused', 'more than 50000 rows', { code: 'query_too_expensive' }))
    await feed.read()
    expect(shown()).toHaveLength(4)
    expect(feed.state.read().first).toEqual({ kind: 'read' })
    stop()
    const another = new LiveList(service, itemsOf(NO_FILTER))
    const end = another.start()
    await vi.advanceTimersByTimeAsync(1)
    expect(another.state.read().first).toMatchObject({ kind: 'failed', code: 'query_too_expensive' })
    end()
  })

  it('keeps what a later read no longer has, and says so, but only where that read looked', async () => {
    const { items, shown, feed, make, stop } = await opened({}, 120)
    await feed.loadOlder()
    items.splice(118, 1)
    items.splice(30, 1)
    make(200)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(shown().slice(0, 3)).toEqual([
      'Paper 200 created',
      'Paper 120 created',
      'Paper 119 created unlisted',
    ])
    expect(shown()).toContain('Paper 31 created')
    await feed.read()
    expect(shown()).toContain('Paper 31 created unlisted')
    expect(shown()).toHaveLength(103)
    stop()
  })
})
