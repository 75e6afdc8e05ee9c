// Following a list: each row once, also one that comes to light after younger ones, with a clock that the test owns.
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ListedRow } from '../../server/client/read/rows.ts'
import { followList, type ListStart } from '../../server/client/stream/follow_list.ts'
import { paintFor } from '../../shared/cli/terminal.ts'

interface Made {
  readonly id: string
  /** Milliseconds. */
  readonly at: number
}

const BEGUN = Date.UTC(2026, 10, 26, 18)
const iso = (at: number): string => new Date(at).toISOString()

let server: Server
/** What can be read now, in any order. */
let made: Made[]
let floors: string[]
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://service')
    const since = query.get('filter[inserted_at][gte]')
    if (since !== null && !query.has('page[after]')) floors.push(since)
    const before = query.get('filter[inserted_at][lt]') ?? '9'
    const direction = query.get('sort') === '-inserted_at' ? -1 : 1
    const after = query.get('page[after]')
    const all = made
      .filter(({ at }) => iso(at) >= (since ?? '') && iso(at) < before)
      .sort((one, other) => direction * (one.at - other.at || (one.id < other.id ? -1 : 1)))
    const rest = after === null ? all : all.slice(all.findIndex(({ id }) => id === after) + 1)
    const page = rest.slice(0, Number(query.get('page[limit]')))
    const last = page.at(-1)
    if (last !== undefined) query.set('page[after]', last.id)
    const next = page.length < rest.length ? `https://pharos.example${pathname}?${query}` : null
    const data = page.map(({ id, at }) => ({ type: 'item', id, attributes: { inserted_at: iso(at) } }))
    response.end(JSON.stringify({ data, links: { next } }))
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
})
afterAll(() => server.close())

let stopping: AbortController
let rows: AsyncGenerator<ListedRow>
let rests: number[]
let notes: string[]
beforeEach(() => {
  ;[made, floors, rests, notes] = [[], [], [], []]
  stopping = new AbortController()
})
afterEach(() => stopping.abort())

const follow = (
  start: ListStart,
  meanwhile: (rests: number) => void = () => undefined,
  mostSeen?: number,
): void => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const silent = () => undefined
  rows = followList(
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
        meanwhile(rests.length)
      },
      service: { url: new URL(`http://127.0.0.1:${port}`) },
      path: '/api/json/items',
      everyMs: 5_000,
      ...(mostSeen === undefined ? {} : { mostSeen }),
    },
    start,
  )
}
const take = async (count: number): Promise<string[]> => {
  const taken: string[] = []
  while (taken.length < count) taken.push((await rows.next()).value.id)
  return taken
}
const make = (id: string, seconds: number): void => void made.push({ id, at: BEGUN + seconds * 1_000 })

it('begins with the newest, however old, and tells what comes then', async () => {
  for (let n = 0; n < 9; n += 1) make(`old ${n}`, n * 3_600)
  follow({ newest: 3 }, () => make('new', 40_000))
  expect(await take(4)).toEqual(['old 6', 'old 7', 'old 8', 'new'])
})

it('tells a row that comes to light two minutes after younger ones, and each row once', async () => {
  for (let n = 0; n < 300; n += 1) make(`a ${String(n).padStart(3, '0')}`, n)
  follow({ newest: 2 }, (rests) => {
    if (rests === 2) make('late', 181)
    if (rests === 4) make('later', 400)
    if (rests === 6) make('late again', 281)
  })
  expect(await take(5)).toEqual(['a 298', 'a 299', 'late', 'later', 'late again'])
  // From two minutes before the newest row that was seen, and never further back.
  expect(new Set(floors)).toEqual(new Set([iso(BEGUN + 179_000), iso(BEGUN + 280_000)]))
})

it('says nothing of rows before its beginning', async () => {
  make('a', 0)
  make('b', 10)
  follow({ newest: 0 }, (rests) => {
    if (rests === 2) make('c', 20)
  })
  expect(await take(1)).toEqual(['c'])
})

it('tells everything since a time, page by page, at a polite pace', async () => {
  for (let n = 0; n < 1_000; n += 1) make(`a ${String(n).padStart(4, '0')}`, n)
  follow({ since: iso(BEGUN + 100_000) })
  expect(await take(900)).toEqual(
    Array.from({ length: 900 }, (_, n) => `a ${String(n + 100).padStart(4, '0')}`),
  )
  expect(rests).toEqual([1_000, 1_000, 1_000])
})

it('begins with nothing where there is nothing yet', async () => {
  follow({ newest: 10 }, (rests) => {
    if (rests === 3) make('first', 5)
  })
  expect(await take(1)).toEqual(['first'])
})

it('remembers no more than its ceiling, and says that a late row may then be missed', async () => {
  // All of them in two minutes.
  for (let n = 0; n < 1_100; n += 1) make(`a ${String(n).padStart(4, '0')}`, n / 100)
  follow({ since: iso(BEGUN) }, undefined, 1_000)
  await take(1_100)
  expect(notes).toEqual([expect.stringContaining('may be missed')])
  make('next', 12)
  expect(await take(1)).toEqual(['next'])
  // Half of them are not read again.
  expect(Date.parse(floors.at(-1) ?? '')).toBeGreaterThan(BEGUN + 4_990)
})
