// Many pokes, few runs: the first at once, one at the end of each gap that was poked, none without a poke.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coalesce } from '../../../server/kernel/flow/repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('coalesced runs', () => {
  it('the first poke runs at once, the others of the gap share one run at its end', () => {
    const run = vi.fn()
    const { poke } = coalesce(run, 50)
    poke()
    expect(run).toHaveBeenCalledTimes(1)
    for (let count = 0; count < 100; count += 1) poke()
    vi.advanceTimersByTime(49)
    expect(run).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(1_000)
    expect(run).toHaveBeenCalledTimes(2)
  })

  it('are at most one per gap, and there is always one after the last poke', () => {
    const runs: number[] = []
    const { poke } = coalesce(() => runs.push(Date.now()), 50)
    let last = 0
    for (let ms = 0; ms < 1_000; ms += 7) {
      poke()
      last = Date.now()
      vi.advanceTimersByTime(7)
    }
    vi.advanceTimersByTime(100)
    for (const [index, at] of runs.slice(1).entries())
      expect(at - (runs[index] ?? 0)).toBeGreaterThanOrEqual(50)
    expect(runs.at(-1)).toBeGreaterThanOrEqual(last)
  })

  it('a poke from within a run is not lost', () => {
    let left = 3
    const run = vi.fn(() => {
      left -= 1
      if (left > 0) poke()
    })
    const { poke } = coalesce(run, 10)
    poke()
    vi.advanceTimersByTime(100)
    expect(run).toHaveBeenCalledTimes(3)
  })

  it('stop with close', () => {
    const run = vi.fn()
    const { poke, close } = coalesce(run, 10)
    poke()
    poke()
    close()
    vi.advanceTimersByTime(100)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
