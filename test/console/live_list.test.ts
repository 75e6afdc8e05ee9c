// A list that is kept up to date: whatever order pages and events come in, the latest report stands and no row is missing.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { mergeRows } from '../../console-web/src/data/newest_first.ts'
import { pageOf } from '../../console-web/src/data/resource.ts'
import { heldBack, type ListRules } from '../../console-web/src/data/stream/list_rules.ts'
import type { Follower } from '../../console-web/src/data/stream/live_events.ts'
import { LiveList } from '../../console-web/src/data/stream/live_list.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'

/** A row whose version grows with each change. It fits while `on` is true. */
type Thing = { readonly id: string; readonly version: number; readonly on: boolean }

const idOf = (n: number): string => String(n).padStart(4, '0')
const thing = (n: number, version = 0, on = true): Thing => ({ id: idOf(n), version, on })
const isLater = (a: Thing, b: Thing): boolean => a.version > b.version
const rules = { fits: ({ on }: Thing) => on, isLater, floor: null, held: false }

const readThing = (value: unknown): Thing | null => {
  const { id, version, on } = Object(value)
  return typeof id === 'string' ? { id, version: Number(version), on: on === true } : null
}

describe('reports about rows', () => {
  const reports = fc.array(
    fc
      .record({ n: fc.nat(8), version: fc.nat(4) })
      .map(({ n, version }) => thing(n, version, (n + version) % 3 > 0)),
    { maxLength: 30 },
  )

  it('give the same rows in whatever order they come: newest first, each once, in its latest state', () => {
    fc.assert(
      fc.property(reports, fc.infiniteStream(fc.nat()), (given, draws) => {
        const always = { ...rules, fits: () => true }
        const keyed = given.map((one) => ({ one, key: draws.next().value }))
        const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
        const atOnce = mergeRows([], given, always)
        const none: readonly Thing[] = []
        expect(shuffled.reduce((rows, one) => mergeRows(rows, [one], always), none)).toEqual(atOnce)
        const ids = atOnce.map(({ id }) => id)
        expect(ids).toEqual([...new Set(ids)].sort().reverse())
      }),
    )
  })

  it('add nothing below the floor, where the server has rows that the list does not have', () => {
    const held = [thing(6), thing(5)]
    const merged = mergeRows(held, [thing(1, 1), thing(5, 1)], { ...rules, floor: idOf(5) })
    expect(merged).toEqual([thing(6), thing(5, 1)])
  })

  it('let go of what does not fit any more, unless it is being read', () => {
    const rows = [thing(2), thing(1)]
    const off = [thing(1, 1, false)]
    expect(mergeRows(rows, off, rules)).toEqual([thing(2)])
    expect(mergeRows(rows, off, { ...rules, held: true })).toEqual([thing(2), thing(1, 1, false)])
    // What was not there does not come for it.
    expect(mergeRows(rows, [thing(3, 1, false)], { ...rules, held: true })).toBe(rows)
  })
})

/** A service with rows, whose answers wait until the test gives them. */
const openService = (count: number) => {
  const rows = new Map<string, Thing>()
  const waiting: (() => void)[] = []
  let follower: Follower | null = null
  let isOpen = false
  const listed = (): Thing[] =>
    [...rows.values()].filter(({ on }) => on).sort((a, b) => (a.id < b.id ? 1 : -1))
  const answer = (path: string): JsonValue => {
    const { searchParams } = new URL(path, 'http://pharos.test')
    const limit = Number(searchParams.get('limit'))
    const before = searchParams.get('before') ?? '~'
    const found = listed().filter(({ id }) => id < before)
    const page = found.slice(0, limit)
    const next = found.length > limit ? `/things?limit=${limit}&before=${page.at(-1)?.id}` : null
    return {
      data: page.map(({ id, ...attributes }) => ({ type: 'thing', id, attributes })),
      links: { next, prev: null },
    }
  }
  const get = (path: string): Promise<JsonValue> => {
    // As the service is when it is asked: what happens until the answer is there, the page has from the stream alone.
    const asked = answer(path)
    return new Promise((resolve) => waiting.push(() => resolve(asked)))
  }
  const put = (row: Thing): void => {
    rows.set(row.id, row)
    if (isOpen) follower?.heard('thing.changed', { data: row })
  }
  for (let n = 0; n < count; n += 1) put(thing(n))
  return {
    api: { get },
    live: {
      follow: (_: string, one: Follower) => {
        follower = one
        if (isOpen) queueMicrotask(one.opened)
        return () => {
          follower = null
        }
      },
    },
    listed,
    put,
    size: () => rows.size,
    /** The oldest request, or the newest. */
    answer: (newest = false) => (newest ? waiting.pop() : waiting.shift())?.(),
    connect: () => {
      if (!isOpen) follower?.opened()
      isOpen = true
    },
    cut: () => {
      if (isOpen) follower?.closed()
      isOpen = false
    },
    burst: () => follower?.heard('things.burst', { count: 9 }),
  }
}

const thingRules = (most = 1_000): ListRules<Thing> => ({
  paths: (limit) => [`/things?limit=${limit}`],
  page: pageOf((members) => readThing(members) ?? { id: '', version: -1, on: true }),
  most,
  fits: ({ on }) => on,
  isLater,
  streams: ['items'],
  heard: (event, body) => {
    const row = event === 'thing.changed' ? readThing(Object(body).data) : null
    return row === null ? { read: 'all' } : { row }
  },
})

describe('a live list', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const settle = () => vi.advanceTimersByTimeAsync(50)

  const CALM = ['new', 'change', 'leave', 'answer', 'older', 'hold', 'release'] as const
  const ANY = [...CALM, 'cut', 'connect', 'answer out of turn', 'burst'] as const

  it.each([
    ['while it is connected, from the stream alone', CALM],
    ['after absences, bursts and answers out of turn', ANY],
  ] as const)('has the newest rows of the service without a hole, %s', async (_, kinds) => {
    const steps = fc.array(fc.constantFrom(...kinds), { minLength: 15, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 130 }), steps, async (count, taken) => {
        const service = openService(count)
        service.connect()
        const list = new LiveList<Thing>(service, thingRules())
        const stop = list.start()
        for (const [turn, step] of taken.entries()) {
          const n = (turn * 37) % Math.max(1, service.size())
          if (step === 'new') service.put(thing(service.size()))
          else if (step === 'change') service.put(thing(n, turn + 1))
          else if (step === 'leave') service.put(thing(n, turn + 1, false))
          else if (step === 'cut') service.cut()
          else if (step === 'connect') service.connect()
          else if (step === 'answer') service.answer()
          else if (step === 'answer out of turn') service.answer(true)
          else if (step === 'older') void list.loadOlder()
          else if (step === 'hold') list.hold()
          else if (step === 'release') list.release()
          else service.burst()
          if (turn % 3 === 0) await settle()
        }
        list.release()
        service.connect()
        // Reads that are planned come within this time.
        for (let left = 0; left < 40; left += 1) {
          service.answer()
          await vi.advanceTimersByTimeAsync(200)
        }
        const { rows, older } = list.state.read()
        const there = service.listed()
        expect(rows).toEqual(there.slice(0, rows.length))
        const left = taken.filter((step) => step === 'leave').length
        expect(rows.length).toBeGreaterThanOrEqual(Math.min(50 - left, there.length))
        if (older.kind === 'end') expect(rows).toHaveLength(there.length)
        else expect(older.kind).toBe('idle')
        stop()
      }),
      { numRuns: 150 },
    )
  })

  it('shows nothing that the stream tells before its first page, below which it may leave a hole', async () => {
    const service = openService(98)
    service.connect()
    const list = new LiveList<Thing>(service, thingRules())
    const stop = list.start()
    service.put(thing(0, 1))
    await settle()
    expect(list.state.read().rows).toEqual([])
    service.answer()
    await settle()
    expect(list.state.read().rows).toEqual(service.listed().slice(0, 50))
    stop()
  })

  it('ignores an older page that was asked for before the list was read again', async () => {
    const service = openService(120)
    service.connect()
    const list = new LiveList<Thing>(service, thingRules())
    const stop = list.start()
    await settle()
    service.answer()
    await settle()
    void list.loadOlder()
    service.cut()
    service.connect()
    await settle()
    service.answer(true)
    await settle()
    service.answer()
    await settle()
    expect(list.state.read().rows).toEqual(service.listed().slice(0, 50))
    expect(list.state.read().older.kind).toBe('idle')
    stop()
  })

  it('holds newer rows back and counts them, and shows them when asked', async () => {
    const service = openService(3)
    const list = new LiveList<Thing>(service, thingRules())
    const stop = list.start()
    await settle()
    service.answer()
    service.connect()
    service.answer()
    await settle()
    list.hold()
    service.put(thing(3))
    service.put(thing(4))
    service.put(thing(1, 1, false))
    await settle()
    expect(heldBack(list.state.read())).toBe(2)
    expect(list.state.read().rows.map(({ id }) => id)).toContain(idOf(1))
    list.hold()
    expect(heldBack(list.state.read())).toBe(0)
    list.release()
    expect(list.state.read().rows.map(({ id }) => Number(id))).toEqual([4, 3, 2, 0])
    stop()
  })

  it('keeps a bounded number of rows, and says that it let older ones go', async () => {
    const service = openService(60)
    const list = new LiveList<Thing>(service, thingRules(52))
    const stop = list.start()
    await settle()
    service.answer()
    await settle()
    void list.loadOlder()
    service.answer()
    await settle()
    const { rows, older } = list.state.read()
    expect([rows.length, rows[0]?.id, older.kind]).toEqual([52, idOf(59), 'bounded'])
    stop()
  })

  it('offers an older page again by itself when the reason why it was not read may pass', async () => {
    const service = openService(60)
    let isDown = false
    const get = (path: string): Promise<JsonValue> =>
      isDown
        ? Promise.reject(new ApiFailure('unreachable', 'The service cannot be reached.'))
        : service.api.get(path)
    const list = new LiveList<Thing>({ api: { get }, live: service.live }, thingRules())
    const stop = list.start()
    await settle()
    service.answer()
    await settle()
    isDown = true
    await list.loadOlder()
    expect(list.state.read().older).toMatchObject({ kind: 'failed', why: 'The service cannot be reached.' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(list.state.read().older.kind).toBe('idle')
    isDown = false
    void list.loadOlder()
    service.answer()
    await settle()
    expect(list.state.read().rows).toEqual(service.listed())
    expect(list.state.read().older.kind).toBe('end')
    stop()
  })

  it('says why its first page is not there, and asks again by itself when that may help', async () => {
    let asked = 0
    const api = {
      get: () => {
        asked += 1
        return Promise.reject(new ApiFailure('unreachable', 'The service cannot be reached.'))
      },
    }
    const list = new LiveList<Thing>({ api, live: openService(0).live }, thingRules())
    const stop = list.start()
    await settle()
    expect(list.state.read().first).toMatchObject({ kind: 'failed', why: 'The service cannot be reached.' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(asked).toBeGreaterThan(1)
    stop()
    const before = asked
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked).toBe(before)
  })
})
