// Many pokes, few runs: the first at once, one at the end of each gap that was poked, none without a poke.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { repeat } from '../../../server/kernel/flow/repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Only pokes start runs, and as many as the gap allows. */
const poked = (run: () => void, gapMs: number) =>
  repeat({
    ...{ everyMs: Number.POSITIVE_INFINITY, gapMs },
    run: async () => run(),
    onError: (error) => {
      throw error
    },
  })

describe('a repetition with a gap', () => {
  it('the first poke runs at once, the others of the gap share one run at its end', async () => {
    const run = vi.fn()
    const { poke } = poked(run, 50)
    for (let count = 0; count < 100; count += 1) poke()
    await vi.advanceTimersByTimeAsync(0)
    expect(run).toHaveBeenCalledTimes(1)
    for (let count = 0; count < 100; count += 1) poke()
    await vi.advanceTimersByTimeAsync(49)
    expect(run).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(run).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('runs at most once a gap, and always once after the last poke', async () => {
    const runs: number[] = []
    const { poke } = poked(() => void runs.push(Date.now()), 50)
    let last = 0
    for (let ms = 0; ms < 1_000; ms += 7) {
      poke()
      last = Date.now()
      await vi.advanceTimersByTimeAsync(7)
    }
    await vi.advanceTimersByTimeAsync(100)
    for (const [index, at] of runs.slice(1).entries())
      expect(at - (runs[index] ?? 0)).toBeGreaterThanOrEqual(50)
    expect(runs.length).toBeGreaterThanOrEqual(15)
    expect(runs.at(-1)).toBeGreaterThanOrEqual(last)
  })

  it('a poke from within a run is not lost', async () => {
    let left = 3
    const run = vi.fn(() => {
      left -= 1
      if (left > 0) poke()
    })
    const { poke } = poked(run, 10)
    poke()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).toHaveBeenCalledTimes(3)
  })

  it('a gap that is over holds up nothing', async () => {
    const run = vi.fn()
    const { poke } = poked(run, 10)
    poke()
    await vi.advanceTimersByTimeAsync(10)
    poke()
    await vi.advanceTimersByTimeAsync(0)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('runs no more once it is stopped', async () => {
    const run = vi.fn()
    const { poke, stop } = poked(run, 10)
    poke()
    await vi.advanceTimersByTimeAsync(0)
    poke()
    await stop()
    await vi.advanceTimersByTimeAsync(100)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
