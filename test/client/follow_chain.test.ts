// Following the chain, with a service that fails as it is told and a clock that the test owns.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ChainEvent, followChain } from '../../server/client/stream/follow_chain.ts'
import { paintFor } from '../../shared/cli/terminal.ts'
import { ChainServer, MINUTE } from './chain_server.ts'

const service = new ChainServer()
beforeAll(() => service.open())
afterAll(() => service.close())
const grow = service.grow.bind(service)

let rests: number[]
let notes: string[]
let stopping: AbortController
let events: AsyncGenerator<ChainEvent>
beforeEach(() => {
  service.clear()
  ;[rests, notes] = [[], []]
  stopping = new AbortController()
})
afterEach(() => stopping.abort())

/** Each rest ends at once, after the test has done what happens meanwhile. */
const follow = (first: number, meanwhile: () => void = () => undefined): void => {
  const silent = () => undefined
  events = followChain(
    {
      terminal: {
        say: silent,
        write: silent,
        note: (line) => notes.push(line),
        progress: undefined,
        paint: paintFor({}, {}),
      },
      stopped: stopping.signal,
      rest: async (ms) => {
        rests.push(ms)
        meanwhile()
      },
      service: { url: new URL(service.address) },
      everyMs: 5_000,
    },
    first,
  )
}
const take = async (count: number): Promise<string[]> => {
  const taken: string[] = []
  while (taken.length < count) {
    const { value } = await events.next()
    taken.push(value.kind === 'block' ? `${value.block.height} ${value.block.hash}` : value.kind)
  }
  return taken
}
const heights = (from: number, count: number, name = 'a') =>
  Array.from({ length: count }, (_, n) => `${from + n} ${name}${from + n}`)

it('takes any number of blocks page by page, and rests between two pages', async () => {
  grow(1_000)
  follow(0)
  expect(await take(1_000)).toEqual(heights(0, 1_000))
  expect(rests).toEqual([1_000, 1_000, 1_000, 1_000])
  expect(service.asked.every((query) => Number(query.get('page[limit]')) <= 250)).toBe(true)
})

it('asks again when there is nothing new, at its own pace', async () => {
  grow(3)
  let looks = 0
  follow(1, () => {
    looks += 1
    if (looks === 4) grow(1)
  })
  expect(await take(3)).toEqual(heights(1, 3))
  expect(rests).toEqual([5_000, 5_000, 5_000, 5_000])
})

it('waits as long as the service asks for, and longer and longer while it does not answer as it should', async () => {
  grow(2)
  service.refusals = [
    { status: 429, retryAfter: '90' },
    { status: 503 },
    { status: 500 },
    { status: 503, retryAfter: '1' },
  ]
  follow(0)
  expect(await take(2)).toEqual(heights(0, 2))
  const [asked90 = 0, second = 0, third = 0, fourth = 0] = rests
  expect(asked90).toBe(90_000)
  for (const [pause, of] of [
    [second, 2_000],
    [third, 4_000],
    [fourth, 8_000],
  ] as const) {
    expect(pause).toBeGreaterThanOrEqual(of * 0.8)
    expect(pause).toBeLessThanOrEqual(of * 1.2)
  }
  expect(notes).toEqual([expect.stringContaining('asked again'), 'It answers again.'])
})

it('ends with a no that stays one', async () => {
  service.refusals = [{ status: 403 }]
  follow(0)
  await expect(events.next()).rejects.toMatchObject({ status: 403 })
  expect(rests).toEqual([])
})

it('says that there is another chain, and goes on at the height that both may have', async () => {
  grow(10)
  follow(8, () => {
    if (service.chain.length === 10 && service.chain[9]?.hash === 'a9') {
      service.cut(7)
      grow(2, 'b')
    }
  })
  expect(await take(2)).toEqual(heights(8, 2))
  expect(await take(2)).toEqual(['break', '8 b8'])
  grow(2, 'b')
  expect(await take(2)).toEqual(heights(9, 2, 'b'))
})

it('says so when the other chain is longer, too', async () => {
  grow(4)
  follow(2, () => {
    if (service.chain[3]?.hash === 'a3') {
      service.cut(3)
      grow(3, 'b')
    }
  })
  expect(await take(2)).toEqual(heights(2, 2))
  expect(await take(4)).toEqual(['break', ...heights(3, 3, 'b')])
})

it('says which block does not continue the one before, once, and goes on with it', async () => {
  grow(5)
  grow(2, 'b', MINUTE, 'another')
  follow(4)
  expect(await take(4)).toEqual(['4 a4', 'misfit', '5 b5', '6 b6'])
  grow(1, 'b')
  expect(await take(1)).toEqual(['7 b7'])
})

it('waits for a server that is behind the others, and says nothing of another chain', async () => {
  grow(5)
  follow(4, () => {
    if (rests.length === 1) service.lagging = 2
    if (rests.length === 3) grow(1)
  })
  expect(await take(2)).toEqual(heights(4, 2))
  expect(rests.length).toBeGreaterThanOrEqual(3)
  expect(service.lagging).toBe(0)
})

it('calls a span an absence when it is three times as long as is usual, whatever is usual', async () => {
  grow(8, 'a', 10 * MINUTE)
  grow(1, 'a', 29 * MINUTE)
  grow(1, 'a', 31 * MINUTE)
  grow(1, 'a', 10 * MINUTE)
  follow(7)
  expect(await take(5)).toEqual(['7 a7', '8 a8', 'absence', '9 a9', '10 a10'])
})

it('calls a few seconds more than usual no absence', async () => {
  grow(8, 'a', 1_000)
  grow(1, 'a', 29_000)
  grow(1, 'a', 31_000)
  follow(7)
  expect(await take(4)).toEqual(['7 a7', '8 a8', 'absence', '9 a9'])
})
