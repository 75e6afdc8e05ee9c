// What the monitor follows: streams while they are switched on, each event once, and absences as rows.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BeaconFeed } from '../../console-web/src/chain/beacon_feed.ts'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import type { Follower, LiveStream } from '../../console-web/src/data/stream/live_events.ts'
import { sentence } from '../../console-web/src/monitor/monitor_announcer.tsx'
import { MonitorFeed } from '../../console-web/src/monitor/monitor_feed.ts'
import type { MonitorRow } from '../../console-web/src/monitor/monitor_row.ts'
import { shownRows } from '../../console-web/src/monitor/monitor_rows.ts'
import { sentRow } from '../../console-web/src/monitor/monitor_streams.ts'
import { burstKinds, pageOfTimes, rowWords } from '../../console-web/src/monitor/row_words.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import type { Beacon, StreamName } from '../../shared/wire/console_stream.ts'

const soon = { timeout: 60_000, interval: 5 }
const START = Date.parse('2027-01-01T14:00:00.000Z')
const iso = (ms: number): string => new Date(ms).toISOString()

/** The beacon of this second. */
const beacon = (second: number): Beacon => {
  const time = (START + second * 1_000).toString(16).padStart(12, '0')
  const hash = (number: number): string => number.toString(16).padStart(64, '0')
  return {
    id: `${time.slice(0, 8)}-${time.slice(8)}-74a1-9884-d675915e9850`,
    hash: hash(second + 2),
    timestamp: iso(START + second * 1_000),
    previous_hash: hash(second + 1),
  }
}

const ITEM = '01MB78W7FGY7TZHKNWE7WA3Z57'
const item = (second: number, more: object = {}) => ({
  id: ITEM,
  state: 'created',
  inserted_at: iso(START + second * 1_000),
  committed_at: null,
  ...more,
})

/** What a path answers, or a function of the path. */
type Answers = Partial<Record<string, JsonValue | ((path: string) => JsonValue)>>

const openFeed = (pages: Answers = {}, off: readonly StreamName[] = []) => {
  const asked: string[] = []
  const followers = new Map<LiveStream, Follower>()
  let now = START
  const get = async (path: string): Promise<JsonValue> => {
    asked.push(path)
    const name = /^\/api\/json\/([a-z_-]+)/.exec(path)?.[1] ?? ''
    const answer = pages[name] ?? { data: [], links: {} }
    return typeof answer === 'function' ? answer(path) : answer
  }
  const refuse = (): Promise<never> => Promise.reject(new ApiFailure('refused', 'not here'))
  const api: Api = { get, text: refuse, post: refuse, patch: refuse, delete: refuse }
  const beacons = new BeaconFeed(api)
  const live = {
    follow: (stream: LiveStream, follower: Follower) => {
      followers.set(stream, follower)
      return () => void followers.delete(stream)
    },
  }
  const feed = new MonitorFeed({ api, live, beacons, now: () => now }, new Set(off))
  const rows = (): readonly MonitorRow[] => feed.state.read().held ?? feed.state.read().rows
  return {
    feed,
    beacons,
    asked,
    followers,
    rows,
    kinds: () => rows().map(({ kind }) => kind),
    at: (second: number): void => {
      now = START + second * 1_000
    },
    send: (stream: LiveStream, event: string, data: object, at = iso(START)): void =>
      followers.get(stream)?.heard(event, { stream, at, data }),
  }
}

const pageOf = (type: string, attributes: { readonly id: string; readonly [name: string]: JsonValue }) => ({
  data: [{ type, id: attributes.id, attributes }],
  links: {},
})

describe('the monitor', () => {
  it('follows each other stream only while it is switched on', () => {
    const { feed, followers } = openFeed({}, ['items', 'entropy'])
    expect([...followers.keys()].sort()).toEqual(['blocks', 'commitments', 'webhook_deliveries'])
    feed.narrow({ off: new Set(['blocks']) })
    expect([...followers.keys()].sort()).toEqual(['commitments', 'entropy', 'items', 'webhook_deliveries'])
  })

  it('shows the newest blocks before any stream is open, and reads them once more when theirs is', async () => {
    const block = (height: number) =>
      pageOf('block', { id: beacon(height).id, height, finalized_at: iso(START) })
    const pages: Answers = { blocks: block(1) }
    const { followers, kinds, rows } = openFeed(pages)
    await expect.poll(kinds, soon).toEqual(['block.finalized'])
    pages.blocks = block(2)
    followers.get('blocks')?.opened()
    await expect.poll(() => rows().map(({ data }) => data.height), soon).toEqual([2, 1])
  })

  it('reads the newest of a stream at every connection, and shows what came both ways once', async () => {
    const { followers, asked, send, kinds } = openFeed({
      items: pageOf('item', { ...item(5), committed_at: iso(START + 9_000) }),
    })
    send('items', 'item.created', item(5))
    followers.get('items')?.opened()
    await expect.poll(kinds, soon).toEqual(['item.committed', 'item.created'])
    send('items', 'item.committed', item(5, { state: 'committed', committed_at: iso(START + 9_000) }))
    send('items', 'item.redacted', item(5, { redacted_at: iso(START + 7_000) }))
    followers.get('items')?.opened()
    await expect.poll(kinds, soon).toEqual(['item.committed', 'item.redacted', 'item.created'])
    expect(asked.filter((path) => path.startsWith('/api/json/items'))).toHaveLength(2)
  })

  it('reads on after an absence until it meets what it knows, and says how many it read when it does not', async () => {
    const numbered = (number: number) => ({
      ...item(number),
      id: `${ITEM.slice(0, -6)}${String(number).padStart(6, '0')}`,
    })
    let newest = 20
    // Pages end at item 0, newest first.
    const pageFrom = (path: string): JsonValue => {
      const { searchParams } = new URL(path, 'http://pharos.test')
      const from = Number(searchParams.get('from') ?? newest)
      const limit = Number(searchParams.get('page[limit]'))
      const numbers = Array.from({ length: Math.min(limit, from + 1) }, (_, index) => from - index)
      const to = from - limit
      return {
        data: numbers.map((number) => ({
          type: 'item',
          id: numbered(number).id,
          attributes: numbered(number),
        })),
        links: { next: to < 0 ? null : `/api/json/items?page[limit]=${limit}&from=${to}` },
      }
    }
    const { followers, asked, rows, send, kinds } = openFeed({ items: pageFrom })
    const seen = (): (string | undefined)[] => [...new Set(rows().map(({ id }) => id))]
    const readsOf = (): number => asked.splice(0).filter((path) => path.startsWith('/api/json/items')).length
    const absence = (until: number): void => {
      followers.get('items')?.closed()
      newest = until
      followers.get('items')?.opened()
    }
    followers.get('items')?.opened()
    await expect.poll(() => rows().length, soon).toBe(10)
    expect(readsOf()).toBe(1)
    send('items', 'item.created', numbered(21))
    absence(50)
    await expect.poll(() => rows().length, soon).toBe(51)
    expect(readsOf()).toBe(2)
    expect(seen()).toHaveLength(51)
    expect(kinds()).not.toContain('missed')
    absence(5_000)
    await expect.poll(kinds, soon).toContain('missed')
    expect(readsOf()).toBe(5)
    const missed = rows().find(({ kind }) => kind === 'missed')
    expect(missed === undefined ? '' : rowWords(missed).line).toBe(
      'Items: more than the 1,010 above came while offline; those of 14:00:50 to 15:06:31 are not listed here',
    )
    expect(missed === undefined ? '' : pageOfTimes(missed)).toBe(
      '/items?from=2027-01-01T14%3A00&to=2027-01-01T15%3A06',
    )
  })

  it('says which stream could not be read, and what was read later takes that back', async () => {
    const pages: Partial<Record<string, JsonValue>> = { items: 'nothing to read' }
    const { feed, followers } = openFeed(pages)
    followers.get('items')?.opened()
    const why = () => feed.state.read().unread.get('items')
    await expect.poll(why, soon).toEqual(expect.any(String))
    expect([...feed.state.read().unread].filter(([, words]) => words !== null)).toHaveLength(1)
    pages.items = { data: [], links: {} }
    followers.get('items')?.opened()
    await expect.poll(why, soon).toBeNull()
  })

  it('shows a commitment read later once, although only the time of its last change is known', async () => {
    const commitment = {
      id: 'c',
      state: 'submitted',
      transaction_hash: 'ab',
      updated_at: iso(START + 90_000),
    }
    const { followers, send, kinds } = openFeed({ commitments: pageOf('commitment', commitment) })
    send('commitments', 'commitment.submitted', { ...commitment, updated_at: undefined })
    followers.get('commitments')?.opened()
    send('commitments', 'commitment.confirmed', { ...commitment, confirmed_at: iso(START + 95_000) })
    await expect.poll(kinds, soon).toEqual(['commitment.confirmed', 'commitment.submitted'])
  })

  it('loses, repeats and reorders no beacon, whatever portions, absences and pages there are', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('beacons' as const), count: fc.integer({ min: 1, max: 5 }) }),
        fc.constant({ kind: 'offline' as const }),
        fc.constant({ kind: 'live' as const }),
        fc.constant({ kind: 'pause' as const }),
        fc.constant({ kind: 'resume' as const }),
      ),
      { maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { feed, beacons, rows, at } = openFeed()
        let second = 0
        for (const step of taken) {
          if (step.kind === 'offline')
            beacons.connectionChanged({ phase: 'offline', retryAt: null, why: 'the test' })
          else if (step.kind === 'live') beacons.subscribed(null)
          else if (step.kind === 'pause') feed.hold()
          else if (step.kind === 'resume') feed.release()
          else
            for (let sent = 0; sent < step.count; sent += 1) {
              second += 1
              at(second)
              beacons.received(beacon(second))
            }
        }
        // Asking where to resume shows what has gathered.
        await beacons.resumeAfter()
        feed.release()
        const seconds = rows()
          .filter(({ kind }) => kind === 'beacon.created')
          .map((row) => (row.at - START) / 1_000)
        expect(seconds).toEqual(Array.from({ length: second }, (_, index) => second - index))
        beacons.stop()
      }),
      { numRuns: 60 },
    )
  })

  it('shows an absence as a row, from the first beacon that was missed', async () => {
    const { feed, beacons, rows, at } = openFeed()
    beacons.received(beacon(1))
    await expect.poll(() => rows().length, soon).toBe(1)
    beacons.subscribed(beacon(1))
    // The computer slept: the loss is noticed late.
    at(200)
    beacons.connectionChanged({ phase: 'offline', retryAt: null, why: 'quiet' })
    expect(feed.state.read().offlineSince).toBe(START + 200_000)
    beacons.subscribed(beacon(180))
    at(205)
    for (const second of [60, 120, 180]) beacons.received(beacon(second))
    await expect.poll(() => rows().length, soon).toBe(5)
    expect(rows().map(({ kind }) => kind)).toEqual([
      'beacon.created',
      'beacon.created',
      'beacon.created',
      'outage',
      'beacon.created',
    ])
    expect(rows().map((row) => rowWords(row).line)[3]).toBe(
      'Offline 14:01:00 to 14:03:25, 3 blocks caught up',
    )
    expect(feed.state.read().offlineSince).toBeNull()
    beacons.stop()
  })

  it('shows that the chain was replaced, and keeps the rows that were seen before', async () => {
    const { beacons, rows, at } = openFeed()
    beacons.received(beacon(1))
    await expect.poll(() => rows().length, soon).toBe(1)
    at(3)
    beacons.startAnew(beacon(1), beacon(2))
    beacons.received(beacon(4))
    await expect
      .poll(() => rows().map(({ kind }) => kind), soon)
      .toEqual(['beacon.created', 'chain.replaced', 'beacon.created'])
    beacons.stop()
  })

  it('changes nothing that is shown while it is held, and then shows all that came, each once', async () => {
    const { feed, send, rows } = openFeed()
    feed.hold()
    const times = Array.from({ length: 5_000 }, (_, index) => index)
    for (const index of times) send('items', 'item.created', { ...item(0), id: `${ITEM}${index}` })
    // The same again.
    for (const index of times) send('items', 'item.created', { ...item(0), id: `${ITEM}${index}` })
    await expect.poll(() => feed.state.read().rows.length, soon).toBe(5_000)
    expect(rows()).toEqual([])
    feed.hold()
    expect(rows()).toHaveLength(5_000)
    feed.release()
    expect(rows()).toHaveLength(5_000)
  })

  it('marks and announces what has come in words, each block once', async () => {
    const { feed, beacons, send, rows } = openFeed()
    beacons.received(beacon(1))
    const { id, timestamp } = beacon(1)
    send('blocks', 'block.finalized', { id, height: 1, finalized_at: timestamp })
    send('items', 'item.created', item(1))
    await expect.poll(() => rows().length, soon).toBe(3)
    const { heard, fresh, filter } = feed.state.read()
    expect(Object.fromEntries(heard)).toEqual({ Block: 1, 'Item handed in': 1 })
    expect(fresh.size).toBe(2)
    expect(shownRows(rows(), filter)).toHaveLength(2)
    beacons.stop()
  })
})

describe('a burst', () => {
  const body = {
    count: 412,
    window_ms: 1003,
    first_at: '2027-01-01T00:01:00.001Z',
    last_at: '2027-01-01T00:01:00.940Z',
    by_kind: { 'item.redacted': 12, 'item.created': 400 },
    latest: { kind: 'item.created', at: '2027-01-01T00:01:00.940Z', data: { id: ITEM } },
  }

  it('is one row at the time of its last event, with its count and its kinds', () => {
    const row = sentRow('items', 'items.burst', body)
    expect(row?.at).toBe(Date.parse(body.last_at))
    expect(row === null ? '' : rowWords(row).line).toBe(
      '412 events in 1.0 s: 400 item.created, 12 item.redacted',
    )
    expect(burstKinds(body)).toEqual([
      ['item.created', 400],
      ['item.redacted', 12],
    ])
  })

  it('that cannot be read, like any such event, is no row', () => {
    for (const unreadable of [null, 7, {}, { ...body, last_at: 'soon' }, { ...body, count: 'many' }])
      expect(sentRow('items', 'items.burst', unreadable)).toBeNull()
    for (const unreadable of [
      null,
      {},
      { at: iso(START) },
      { at: iso(START), data: {} },
      { at: 'x', data: { id: ITEM } },
    ])
      expect(sentRow('items', 'item.deleted', unreadable)).toBeNull()
  })
})

describe('an announcement', () => {
  it('is one sentence for everything that came', () => {
    const before = new Map([['Item handed in', 2]])
    const now = new Map([
      ['Item handed in', 5],
      ['Block', 1],
    ])
    expect(sentence(before, now)).toBe('4 new events: 3 × Item handed in, Block.')
    expect(sentence(now, now)).toBe('')
  })
})
