// The clock of blocks: one order per boundary, none in a slot that has its block, and a watch for when nobody delivers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBlockClock } from '../../server/jobs/block_clock.ts'

const MINUTE = 60_000
const START = Date.parse('2026-11-20T18:00:30.000Z')

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A ledger whose clock is the fake one; `makes` says whether an order becomes a block. */
function ledger(
  options: Partial<Parameters<typeof startBlockClock>[0]> & { makes?: boolean; skewMs?: number } = {},
) {
  const { makes = true, skewMs = 0, intervalMs = MINUTE, ...rest } = options
  const now = () => Date.now() + skewMs
  const state = {
    head: { id: 'genesis', timeMs: now() },
    ordered: [] as string[],
    made: [] as string[],
    errors: 0,
  }
  const make = (headId: string): void => {
    if (headId !== state.head.id) return
    state.made.push(new Date(now()).toISOString())
    state.head = { id: `block ${state.made.length}`, timeMs: now() }
  }
  const clock = startBlockClock({
    intervalMs,
    readStanding: async () => ({ nowMs: now(), head: state.head }),
    order: async (headId) => {
      state.ordered.push(headId)
      if (makes) make(headId)
    },
    finalize: async (headId) => make(headId),
    onError: () => {
      state.errors += 1
    },
    ...rest,
  })
  return { state, clock }
}

describe('at the boundaries', () => {
  it('orders one block per slot, aligned to the clock, naming the head it saw', async () => {
    const { state, clock } = ledger()
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
    expect(state.ordered).toEqual(['genesis', 'block 1', 'block 2', 'block 3', 'block 4'])
    for (const [index, at] of state.made.entries())
      expect(at).toMatch(new RegExp(`18:0${index + 1}:00\\.0\\d\\dZ`))
    await clock.close()
  })

  it('aligns to the clock of the database, not to its own', async () => {
    const { state, clock } = ledger({ skewMs: 10_000 })
    await vi.advanceTimersByTimeAsync(2 * MINUTE)
    expect(state.made.map((at) => at.slice(11, 19))).toEqual(['18:01:00', '18:02:00'])
    await clock.close()
  })

  it('orders nothing in a slot that has its block, and one block, never a burst, after a long pause', async () => {
    const { state, clock } = ledger()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(state.ordered).toEqual([])
    await clock.close()
    state.head = { id: 'old', timeMs: START - 60 * MINUTE }
    const again = startBlockClock({
      intervalMs: MINUTE,
      readStanding: async () => ({ nowMs: Date.now(), head: state.head }),
      order: async (headId) => {
        state.ordered.push(headId)
        state.head = { id: 'new', timeMs: Date.now() }
      },
      finalize: async () => undefined,
      onError: () => undefined,
    })
    await vi.advanceTimersByTimeAsync(9_000)
    expect(state.ordered).toEqual(['old'])
    await again.close()
  })

  it('below five seconds makes the block itself and leaves the queue alone', async () => {
    const { state, clock } = ledger({ intervalMs: 1_000 })
    await vi.advanceTimersByTimeAsync(4_500)
    expect([state.made.length, state.ordered]).toEqual([4, []])
    await clock.close()
  })
})

describe('the watch', () => {
  it('makes the block when the head is older than interval and three seconds, because nobody has', async () => {
    const { state, clock } = ledger({ makes: false })
    await vi.advanceTimersByTimeAsync(MINUTE + 2_900)
    expect(state.made).toEqual([])
    await vi.advanceTimersByTimeAsync(2_200)
    expect(state.made).toHaveLength(1)
    await clock.close()
  })

  it('also when the clock of the database runs behind the head', async () => {
    const { state, clock } = ledger({ makes: false })
    state.head = { id: 'genesis', timeMs: START + 60 * MINUTE }
    await vi.advanceTimersByTimeAsync(MINUTE + 7_200)
    expect(state.made).toHaveLength(1)
    await clock.close()
  })

  it('rests while blocks keep coming', async () => {
    const finalize = vi.fn(async () => undefined)
    const { state, clock } = ledger({ finalize })
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect([state.made.length, finalize.mock.calls]).toEqual([10, []])
    await clock.close()
  })
})

describe('when something fails', () => {
  it('says so and tries again within a second, without a second loop', async () => {
    let fail = true
    const { state, clock } = ledger({
      order: async (headId) => {
        if (fail) throw new Error('away')
        state.ordered.push(headId)
        state.head = { id: 'made', timeMs: Date.now() }
      },
    })
    await vi.advanceTimersByTimeAsync(33_500)
    expect(state.errors).toBe(4)
    fail = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(state.ordered).toEqual(['genesis'])
    await clock.close()
  })

  it('close waits for the work under way, and nothing begins after it', async () => {
    let release = (): void => undefined
    const { state, clock } = ledger({
      order: () => new Promise<void>((resolve) => (release = resolve)),
    })
    await vi.advanceTimersByTimeAsync(30_100)
    let closed = false
    const closing = clock.close().then(() => {
      closed = true
    })
    await vi.advanceTimersByTimeAsync(10)
    expect(closed).toBe(false)
    release()
    await closing
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
    expect([state.errors, vi.getTimerCount()]).toEqual([0, 0])
  })
})
