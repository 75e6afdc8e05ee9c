// How the page asks the API: what is tried again and when, what stands, and what a page is told meanwhile.
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiFailure } from '../../console-web/src/data/api_failure.ts'
import { openQueries } from '../../console-web/src/data/queries.ts'
import { loadedOf } from '../../console-web/src/data/use_document.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Step = ApiFailure | string

/** Asks as a page does; the steps are what the service answers, one after the other, the last one for ever. */
const asking = (...steps: readonly Step[]) => {
  const queries = openQueries()
  const asked: number[] = []
  const signals: AbortSignal[] = []
  const startedAt = Date.now()
  const observer = new QueryObserver<string, Error>(queries, {
    queryKey: ['document', '/one'],
    queryFn: async ({ signal }) => {
      signals.push(signal)
      const step = steps[Math.min(asked.length, steps.length - 1)]
      asked.push(Date.now() - startedAt)
      if (step instanceof ApiFailure) throw step
      if (step === 'never')
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return step ?? ''
    },
  })
  const leave = observer.subscribe(() => undefined)
  return { queries, asked, signals, leave, loaded: () => loadedOf(observer.getCurrentResult()) }
}

const away = new ApiFailure('unreachable', 'The server cannot be reached.')
const broken = new ApiFailure('server', 'The server failed.')
const slow = new ApiFailure('rate_limited', 'Too many requests.', { retryAfterMs: 20_000 })
const gone = new ApiFailure('not_found', 'Not found.')
const refused = new ApiFailure('refused', 'That cannot be asked.')

describe('a read', () => {
  it('is tried again after what may pass, and says so meanwhile', async () => {
    const { asked, loaded } = asking(away, broken, 'here')
    expect(loaded()).toEqual({ kind: 'loading' })
    await vi.advanceTimersByTimeAsync(100)
    expect(loaded()).toEqual({ kind: 'failed', why: away.message })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toHaveLength(3)
    expect(loaded()).toEqual({ kind: 'found', value: 'here' })
  })

  it('waits longer from failure to failure, and never longer than half a minute', async () => {
    const { asked } = asking(broken)
    await vi.advanceTimersByTimeAsync(600_000)
    const waits = asked.slice(1).map((at, index) => at - (asked[index] ?? 0))
    expect(waits.length).toBeGreaterThan(20)
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_100)
    expect(Math.min(...waits.slice(6))).toBeGreaterThanOrEqual(15_000)
  })

  it('is not tried again before the time that the server named, and is no failure meanwhile', async () => {
    const { asked, loaded } = asking(slow, 'here')
    await vi.advanceTimersByTimeAsync(19_000)
    expect(asked).toHaveLength(1)
    expect(loaded()).toEqual({ kind: 'loading', why: slow.message })
    await vi.advanceTimersByTimeAsync(3_000)
    expect(asked).toHaveLength(2)
  })

  it('that is refused stands as it is', async () => {
    for (const [failure, loaded] of [
      [gone, { kind: 'missing' }],
      [refused, { kind: 'failed', why: refused.message }],
    ] as const) {
      const read = asking(failure, 'here')
      await vi.advanceTimersByTimeAsync(300_000)
      expect(read.asked).toHaveLength(1)
      expect(read.loaded()).toEqual(loaded)
    }
  })

  it('keeps what was found while it cannot be renewed', async () => {
    const { queries, asked, loaded } = asking('here', broken, broken, 'there')
    await vi.advanceTimersByTimeAsync(100)
    void queries.invalidateQueries()
    await vi.advanceTimersByTimeAsync(100)
    expect([asked.length, loaded()]).toEqual([2, { kind: 'found', value: 'here' }])
    await vi.advanceTimersByTimeAsync(10_000)
    expect([asked.length, loaded()]).toEqual([4, { kind: 'found', value: 'there' }])
  })

  it('ends when nobody looks any more, and its answer is forgotten after a minute', async () => {
    const under = asking('never')
    await vi.advanceTimersByTimeAsync(100)
    under.leave()
    expect(under.signals[0]?.aborted).toBe(true)
    const done = asking('here')
    await vi.advanceTimersByTimeAsync(100)
    done.leave()
    expect(done.queries.getQueryCache().getAll()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(done.queries.getQueryCache().getAll()).toHaveLength(0)
  })
})
