// The clock of captures: once a minute, twelve seconds before it is full, by the clock of the database.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CaptureOutcome } from '../../server/domain/entropy/capture_entropy.ts'
import { logCapture, startEntropyClock } from '../../server/jobs/capture_entropy.ts'

const MINUTE = 60_000
const START = Date.parse('2026-11-20T18:00:30.000Z')

beforeEach(() => {
  vi.useFakeTimers({ now: START })
})
afterEach(() => {
  vi.useRealTimers()
})

function start({
  skewMs = 0,
  ...rest
}: Partial<Parameters<typeof startEntropyClock>[0]> & { skewMs?: number } = {}) {
  const turns: { at: string; slot: number }[] = []
  const errors: unknown[] = []
  const clock = startEntropyClock({
    readNowMs: async () => Date.now() + skewMs,
    capture: async ({ slot, nowMs }) => {
      turns.push({ at: new Date(nowMs).toISOString().slice(14, 19), slot })
      return []
    },
    onOutcome: () => undefined,
    onError: (error) => errors.push(error),
    ...rest,
  })
  return { turns, errors, clock }
}

describe('the clock of captures', () => {
  it('asks once when it starts, then twelve seconds before every full minute, each time for a slot of its own', async () => {
    const { turns, clock } = start()
    await vi.advanceTimersByTimeAsync(3 * MINUTE)
    expect(turns.map(({ at }) => at)).toEqual(['00:30', '00:48', '01:48', '02:48'])
    const [first = { slot: 0 }] = turns
    expect(turns.map(({ slot }) => slot - first.slot)).toEqual([0, 1, 2, 3])
    await clock.stop()
  })

  it('goes by the clock of the database, so that skewed servers name the same slot', async () => {
    const { turns, clock } = start({ skewMs: 25_000 })
    await vi.advanceTimersByTimeAsync(MINUTE)
    expect(turns.map(({ at }) => at)).toEqual(['00:55', '01:48'])
    await clock.stop()
  })

  it('keeps to the minute also when the sources take their time', async () => {
    const at: string[] = []
    const { clock } = start({
      capture: async ({ nowMs }) => {
        at.push(new Date(nowMs).toISOString().slice(14, 19))
        await new Promise((resolve) => setTimeout(resolve, 10_000))
        return []
      },
    })
    await vi.advanceTimersByTimeAsync(2.5 * MINUTE)
    expect(at).toEqual(['00:30', '00:48', '01:48', '02:48'])
    await clock.stop()
  })

  it('tries again shortly when it is the database that does not answer', async () => {
    let away = true
    const { turns, errors, clock } = start({
      readNowMs: async () => {
        if (away) throw new Error('away')
        return Date.now()
      },
    })
    await vi.advanceTimersByTimeAsync(5_000)
    away = false
    await vi.advanceTimersByTimeAsync(2_000)
    expect([errors.length, turns.map(({ at }) => at)]).toEqual([3, ['00:36']])
    await clock.stop()
  })

  it('a stop ends what is under way, and nothing begins after it', async () => {
    let stopped = false
    const { clock, errors } = start({
      capture: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped = true
            resolve([])
          })
        }),
    })
    await vi.advanceTimersByTimeAsync(100)
    await clock.stop()
    await vi.advanceTimersByTimeAsync(5 * MINUTE)
    expect([stopped, errors, vi.getTimerCount()]).toEqual([true, [], 0])
  })
})

describe('what is logged', () => {
  it('every capture, and of a source that stays away only the news', () => {
    const lines: [level: string, text: unknown][] = []
    const line =
      (level: string) =>
      (_: object, text?: string): void =>
        void lines.push([level, text])
    const log = {
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      debug: line('debug'),
      fatal: line('fatal'),
    }
    const away = { source: 'entropy_nist', outcome: 'unreachable', why: 'away' } as const
    const outcomes: CaptureOutcome[] = [
      { ...away, news: true },
      { ...away, news: false },
      { source: 'entropy_nist', outcome: 'recorded', id: 'x', news: true },
      { source: 'entropy_nist', outcome: 'known', news: false },
    ]
    for (const outcome of outcomes) logCapture(log, outcome)
    expect(lines).toEqual([
      ['warn', 'entropy.left_out'],
      ['debug', 'entropy.left_out'],
      ['info', 'entropy.captured'],
      ['info', 'entropy.captured'],
    ])
  })
})
