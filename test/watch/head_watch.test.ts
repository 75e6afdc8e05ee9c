// A chain that does not grow is said, once, and its end only when it is one: readiness does not come and go.
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { watchHead } from '../../server/watch/readiness.ts'

const INTERVAL = 60_000
/** Three intervals and ten seconds. */
const LIMIT = 190_000

let said: string[]
let watch: ReturnType<typeof watchHead>
let passed: number
let now: number
let head: { height: number; timeMs: number }
beforeEach(() => {
  said = []
  const log = pino({}, { write: (line: string) => void said.push(JSON.parse(line).msg) })
  watch = watchHead({ intervalMs: INTERVAL, log, monotonic: () => passed })
  ;[passed, now] = [5_000, 1_000_000_000]
  head = { height: 7, timeMs: now }
})

const stalled = (): boolean => watch.see(now, head).stalled
const pass = (ms: number): void => {
  now += ms
  passed += ms
}
const block = (): void => {
  head = { height: head.height + 1, timeMs: now }
}

describe('the head of the chain', () => {
  it('is stalled once it is older than three intervals and ten seconds', () => {
    expect(stalled()).toBe(false)
    pass(LIMIT)
    expect(stalled()).toBe(false)
    pass(1)
    expect([stalled(), stalled()]).toEqual([true, true])
    expect(said).toEqual(['head.stalled'])
  })

  it('is so until two blocks have come on time, however often one comes now and then', () => {
    expect(stalled()).toBe(false)
    for (let round = 0; round < 5; round += 1) {
      for (let second = 0; second < 300; second += 1) {
        pass(1_000)
        if (second * 1_000 > LIMIT || round > 0) expect(stalled()).toBe(true)
      }
      block()
      expect(stalled()).toBe(true)
    }
    pass(INTERVAL)
    block()
    expect(stalled()).toBe(false)
    expect(said).toEqual(['head.stalled', 'head.grows_again'])
  })

  it('is not stalled for a server that starts after an outage, as soon as there is a block', () => {
    pass(86_400_000)
    expect(stalled()).toBe(true)
    block()
    expect(stalled()).toBe(false)
  })

  it('is stalled by our own count of time, too, when the clock of the database is behind and knows no age', () => {
    now -= 3_600_000
    expect(stalled()).toBe(false)
    for (let n = 0; n < 4; n += 1) pass(INTERVAL)
    expect(stalled()).toBe(true)
  })
})

describe('the clock of the database', () => {
  it('is said to be behind the chain once, by how much, and once that it agrees again', () => {
    expect(watch.see(now, head).clockBehindMs).toBe(0)
    now -= 3_540_000
    expect([watch.see(now, head), watch.see(now, head)]).toMatchObject([
      { clockBehindMs: 3_540_000 },
      { clockBehindMs: 3_540_000 },
    ])
    now += 3_540_000
    watch.see(now, head)
    expect(said).toEqual(['clock.behind_chain', 'clock.agrees_with_chain'])
  })

  it('may be a moment behind: it is read before the head is', () => {
    expect(watch.see(head.timeMs - 500, head).clockBehindMs).toBe(0)
    expect(said).toEqual([])
  })
})
