// The team's items in the picture: how many wait for the next block, and when their names are read again.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Store } from '../../console-web/src/data/store.ts'
import type { Follower } from '../../console-web/src/data/stream/live_events.ts'
import type { Tile } from '../../console-web/src/picture/tile.ts'
import { hasItemsIn } from '../../console-web/src/picture/use_own_items.ts'
import { followWaiting } from '../../console-web/src/picture/waiting_items.ts'

const soon = { timeout: 60_000, interval: 5 }

/** Later than the present, so that an event is younger than a count. */
const NOON = Date.now() + 3_600_000
const block = (height: number): Tile => ({
  id: String(height).padStart(8, '0'),
  height,
  at: NOON + height * 10_000,
  committed: false,
  items: 0,
  observations: 0,
})

/** A service that has counted so many, or counts when the test says so. */
const openItems = (count: () => Promise<number> = async () => 7) => {
  let follower: Follower | null = null
  const asked: string[] = []
  const get = async (path: string) => {
    asked.push(path)
    return { data: [], meta: { page: { total: await count() } } }
  }
  const live = {
    follow: (_: string, given: Follower) => {
      follower = given
      return () => undefined
    },
  }
  const items = followWaiting({ api: { get }, live, clockOffset: new Store(0) })
  return {
    items,
    asked,
    end: items.end,
    connect: () => follower?.opened(),
    heard: (event: string, body: object) => follower?.heard(event, body),
    submitted: (at: number, body: object = {}) =>
      follower?.heard('item.created', { at: new Date(at).toISOString(), ...body }),
  }
}

describe('the items that wait', () => {
  it('are counted from the newest block on, once nothing is missed any more', async () => {
    const { items, asked, end, connect } = openItems()
    items.blockCame(block(3))
    expect([items.items(), asked]).toEqual([null, []])
    connect()
    await expect.poll(() => items.items(), soon).toBe(7)
    expect(decodeURIComponent(asked.join())).toContain(
      `[greater_than]=${new Date(block(3).at).toISOString()}`,
    )
    end()
  })

  it('begin anew with each block; what is younger than the block stays', async () => {
    const { items, end, connect, submitted } = openItems()
    items.blockCame(block(3))
    connect()
    await expect.poll(() => items.items(), soon).toBe(7)
    submitted(block(4).at + 200)
    submitted(block(4).at + 900)
    expect(items.items()).toBe(9)
    items.blockCame(block(4))
    expect(items.items()).toBe(2)
    end()
  })

  it('are counted again when one came while they were counted, and when an event is older than the count', async () => {
    const answers: ((total: number) => void)[] = []
    const { items, end, connect, submitted } = openItems(
      () => new Promise((resolve) => answers.push(resolve)),
    )
    items.blockCame(block(3))
    connect()
    await expect.poll(() => answers.length, soon).toBe(1)
    submitted(NOON + 1)
    answers[0]?.(0)
    await expect.poll(() => answers.length, soon).toBe(2)
    answers[1]?.(1)
    await expect.poll(() => items.items(), soon).toBe(1)
    submitted(Date.now() - 60_000)
    await expect.poll(() => answers.length, soon).toBe(3)
    answers[2]?.(2)
    await expect.poll(() => items.items(), soon).toBe(2)
    end()
  })

  it('are all counted, in little memory, one by one or as a sum', async () => {
    const { items, end, connect, submitted, heard } = openItems(async () => 0)
    items.blockCame(block(3))
    connect()
    await expect.poll(() => items.items(), soon).toBe(0)
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { maxLength: 1_500 }), (times) => {
        const before = items.items() ?? 0
        for (const at of times) submitted(NOON + at)
        expect(items.items()).toBe(before + times.length)
      }),
      { numRuns: 20 },
    )
    const before = items.items() ?? 0
    const [first_at, last_at] = [1, 2].map((ms) => new Date(NOON + ms).toISOString())
    heard('items.burst', { first_at, last_at, by_kind: { 'item.created': 40, 'item.committed': 2 } })
    expect(items.items()).toBe(before + 40)
    end()
  })
})

describe('the names in blocks', () => {
  it('are read again when what waited came into a block, when one was erased, and at each later connection', async () => {
    const { items, end, connect, heard } = openItems()
    items.blockCame(block(3))
    connect()
    await expect.poll(() => items.items(), soon).toBe(7)
    const seen = [items.changes()]
    items.blockCame(block(4))
    seen.push(items.changes())
    items.blockCame(block(5))
    expect(items.changes()).toBe(seen[1])
    heard('item.redacted', {})
    seen.push(items.changes())
    connect()
    seen.push(items.changes())
    expect(new Set(seen).size).toBe(4)
    end()
  })
})

it('knows of no items only when there are none', () => {
  expect(hasItemsIn({ kind: 'found', value: { hasItems: false } })).toBe(false)
  expect(hasItemsIn({ kind: 'failed', why: 'It is not allowed.' })).toBe(true)
  expect(hasItemsIn({ kind: 'loading', why: 'Waiting 5 s, as the server asked.' })).toBe(true)
  expect(hasItemsIn({ kind: 'loading' })).toBeNull()
})
