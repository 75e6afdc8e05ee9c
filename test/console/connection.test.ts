// What the page knows of its connection: interruptions with reasons, the round trip, the limits; and how soon it
// tries again while somebody looks at it.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { beaconStream, type Connection } from '../../console-web/src/connection/beacon_stream.ts'
import { breakWords, limitLines, skewWords } from '../../console-web/src/connection/connection_words.ts'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { readBudget } from '../../console-web/src/data/request_budget.ts'
import {
  LONGEST_WAIT_IN_SIGHT_MS,
  LONGEST_WAIT_MS,
  retryDelay,
} from '../../console-web/src/data/retry_schedule.ts'
import { ConnectionLog } from '../../console-web/src/data/stream/connection_log.ts'
import { LiveEvents } from '../../console-web/src/data/stream/live_events.ts'

const WELCOME = {
  user: { id: 'u', full_name: 'Ada' },
  team: { id: 't', name: 'Ada’s', role: 'owner' },
  plan: 'developer',
  limits: { commands: 60, commands_window_ms: 10_000, payload_bytes: 16_384 },
}

describe('the log of the connection', () => {
  let now = 0
  const log = () => new ConnectionLog(() => now)
  beforeEach(() => {
    now = 1_000
  })

  it('keeps an interruption as one, with its first reason and the attempts after it', () => {
    const one = log()
    one.joined('websocket', WELCOME)
    expect(one.facts.read()).toMatchObject({
      transport: 'websocket',
      since: 1_000,
      breaks: [],
      welcome: { plan: 'developer', team: { role: 'owner' } },
    })
    now = 5_000
    one.lost('The connection was lost.')
    one.lost('The server cannot be reached.')
    one.lost('The server cannot be reached.')
    expect(one.facts.read()).toMatchObject({ transport: null, since: null })
    now = 9_000
    one.joined('polling', WELCOME)
    one.carriedBy('websocket')
    expect(one.facts.read().transport).toBe('websocket')
    expect(one.facts.read().breaks).toEqual([
      { from: 5_000, until: 9_000, why: 'The connection was lost.', failures: 2 },
    ])
  })

  it('forgets the oldest of many interruptions', () => {
    const one = log()
    for (let index = 0; index < 500; index += 1) {
      now += 10
      one.lost(`reason ${index}`)
      one.joined('websocket', WELCOME)
    }
    const { breaks } = one.facts.read()
    expect([breaks.length, breaks[0]?.why]).toEqual([50, 'reason 499'])
  })

  it('asks nothing of a connection that is gone', async () => {
    await expect(new LiveEvents().probe()).rejects.toThrow()
  })
})

describe('the words', () => {
  it('say how long an interruption lasts', () => {
    const one = { from: 0, until: null, why: 'The network is gone.', failures: 1 }
    expect(breakWords(one, 65_000)).toBe('The network is gone. Away for 1 min 05 s so far, 1 more attempt.')
    expect(breakWords({ ...one, until: 3_000, failures: 0 }, 65_000)).toBe(
      'The network is gone. Away for 3 s.',
    )
  })
  it('say which clock is wrong, and nothing of what the way of a message explains', () => {
    expect(skewWords(300)).toMatch(/agrees/)
    expect(skewWords(2_500)).toMatch(/2\.5 s behind/)
    expect(skewWords(-3_700_000)).toMatch(/1 h 01 min ahead/)
  })
  it('name the ceilings that the server has told, and no others', () => {
    expect(limitLines({ commands: 60, commands_window_ms: 10_000, frame_bytes: 'many', new_one: 1 })).toEqual(
      [{ name: 'Commands', words: '60 in 10 s' }],
    )
  })
})

describe('the request budget', () => {
  const read = (left: string, policy: string) =>
    readBudget(new Headers({ ratelimit: left, 'ratelimit-policy': policy }), 7)
  it('is read from the header fields of an answer', () => {
    expect(read('"caller";r=0;t=12', '"caller";q=120;w=60')).toEqual({
      remaining: 0,
      limit: 120,
      windowMs: 60_000,
      at: 7,
    })
  })
  it('is unknown when they say something else', () => {
    expect([
      read('caller: 3', '"caller";q=120;w=60'),
      read('"caller";r=3', ''),
      readBudget(new Headers(), 7),
    ]).toEqual([null, null, null])
  })
})

describe('while somebody looks at the page', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const waitsOf = async (longestWaitMs: number): Promise<number[]> => {
    const attempts: number[] = []
    const phases: Connection[] = []
    const stream = beaconStream({
      open: async () => {
        attempts.push(Date.now())
        throw new ApiFailure('unreachable', 'The server cannot be reached.')
      },
      resumeAfter: async () => null,
      longestWaitMs: () => longestWaitMs,
      subscribed: () => undefined,
      received: () => undefined,
      startAnew: () => undefined,
      changed: (phase) => phases.push(phase),
      refused: async () => false,
    })
    await vi.advanceTimersByTimeAsync(600_000)
    stream.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    return attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
  }

  it('it tries to connect at least every 5 s, however long the server is away', async () => {
    const waits = await waitsOf(LONGEST_WAIT_IN_SIGHT_MS)
    expect(waits.length).toBeGreaterThan(120)
    expect(Math.max(...waits)).toBeLessThan(5_000)
  })
  it('and otherwise it waits longer, and always as long as the server asks', async () => {
    expect(Math.max(...(await waitsOf(LONGEST_WAIT_MS)))).toBeGreaterThan(14_000)
    expect(retryDelay(9, 0, 60_000, LONGEST_WAIT_IN_SIGHT_MS)).toBeGreaterThanOrEqual(60_000)
  })
})
