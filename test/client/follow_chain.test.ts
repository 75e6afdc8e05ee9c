// Following the chain, with a service that fails as it is told and a clock that the test owns.
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type ChainEvent, followChain } from '../../server/client/stream/follow_chain.ts'
import { paintFor } from '../../shared/cli/terminal.ts'

interface Made {
  readonly hash: string
  readonly previous: string
  readonly at: number
}

let server: Server
let chain: Made[]
/** The status of the next answers, before the chain is shown again. */
let refusals: { status: number; retryAfter?: string }[]
/** The server of the next lists has not got the newest block yet. */
let lagging: number
let asked: URLSearchParams[]
beforeAll(async () => {
  server = createServer((request, response) => {
    const { searchParams: query } = new URL(request.url ?? '', 'http://service')
    asked.push(query)
    const refused = refusals.shift()
    if (refused !== undefined) {
      const { status, retryAfter } = refused
      return response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end('{}')
    }
    const rows = chain.map(({ hash, previous, at }, height) => ({
      type: 'block',
      id: `block-${hash}`,
      attributes: {
        height,
        block_hash: hash,
        previous_block_hash: previous,
        finalized_at: new Date(at).toISOString(),
      },
    }))
    if (query.get('sort') === '-height') rows.reverse()
    else if (lagging > 0) {
      lagging -= 1
      rows.pop()
    }
    const least = Number(query.get('filter[height][gte]') ?? 0)
    const below = Number(query.get('filter[height][lt]') ?? Number.POSITIVE_INFINITY)
    const data = rows
      .filter(({ attributes: { height } }) => height >= least && height < below)
      .slice(0, Number(query.get('page[limit]')))
    response.end(JSON.stringify({ data, links: { next: null } }))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
})
afterAll(() => server.close())

const BEGUN = Date.UTC(2026, 10, 26, 18)
const MINUTE = 60_000
/** So many blocks more, a minute apart unless said otherwise. */
const grow = (count: number, name = 'a', apartMs = MINUTE): void => {
  for (let n = 0; n < count; n += 1) {
    const last = chain.at(-1)
    const hash = `${name}${chain.length}`
    chain.push({ hash, previous: last?.hash ?? 'none', at: (last?.at ?? BEGUN) + apartMs })
  }
}

let rests: number[]
let notes: string[]
let stopping: AbortController
let events: AsyncGenerator<ChainEvent>
beforeEach(() => {
  ;[chain, refusals, asked, rests, notes, lagging] = [[], [], [], [], [], 0]
  stopping = new AbortController()
})
afterEach(() => stopping.abort())

/** Each rest ends at once, after the test has done what happens meanwhile. */
const follow = (first: number, meanwhile: () => void = () => undefined): void => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const service = { url: new URL(`http://127.0.0.1:${port}`), headers: {} }
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
      asking: { service },
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
  expect(asked.every((query) => Number(query.get('page[limit]')) <= 250)).toBe(true)
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
  refusals = [
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
  refusals = [{ status: 403 }]
  follow(0)
  await expect(events.next()).rejects.toMatchObject({ status: 403 })
  expect(rests).toEqual([])
})

it('says that there is another chain, and goes on at the height that both may have', async () => {
  grow(10)
  follow(8, () => {
    if (chain.length === 10 && chain[9]?.hash === 'a9') {
      chain.splice(7)
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
    if (chain[3]?.hash === 'a3') {
      chain.splice(3)
      grow(3, 'b')
    }
  })
  expect(await take(2)).toEqual(heights(2, 2))
  expect(await take(4)).toEqual(['break', ...heights(3, 3, 'b')])
})

it('waits for a server that is behind the others, and says nothing of another chain', async () => {
  grow(5)
  follow(4, () => {
    if (rests.length === 1) lagging = 2
    if (rests.length === 3) grow(1)
  })
  expect(await take(2)).toEqual(heights(4, 2))
  expect(rests.length).toBeGreaterThanOrEqual(3)
  expect(lagging).toBe(0)
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
