// The laws of the one loop: what is poked, ends, fails and stops in any order, and when the next run begins.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { repeat } from '../../../server/kernel/flow/repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const EVERY = 100
const RETRY = { firstMs: 30, mostMs: 200 }

/** A repetition whose runs end when the test says so. */
function underControl(options: Partial<Parameters<typeof repeat>[0]> = {}) {
  const seen = { begun: 0, underWay: 0, mostAtOnce: 0, errors: [] as unknown[] }
  let ending: PromiseWithResolvers<number | undefined> | undefined
  let given: AbortSignal | undefined
  const loop = repeat({
    everyMs: EVERY,
    retry: RETRY,
    onError: (error) => seen.errors.push(error),
    run: async (signal) => {
      given = signal
      seen.begun += 1
      seen.underWay += 1
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.underWay)
      ending = Promise.withResolvers()
      try {
        return await ending.promise
      } finally {
        seen.underWay -= 1
      }
    },
    ...options,
  })
  return {
    loop,
    seen,
    signal: () => given,
    end: (nextMs?: number) => ending?.resolve(nextMs),
    fail: (error: unknown) => ending?.reject(error),
  }
}

const settle = () => vi.advanceTimersByTimeAsync(0)

type Step =
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'poke'; readonly withinMs: number }
  | { readonly do: 'run' }
  | { readonly do: 'end'; readonly nextMs: number | undefined }
  | { readonly do: 'fail' }
  | { readonly do: 'stop' }

const ms = fc.integer({ min: 1, max: 250 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('advance' as const), ms }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('poke' as const),
      withinMs: fc.oneof(fc.constant(0), ms),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'run' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      nextMs: fc.option(ms, { nil: undefined }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'fail' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'stop' as const }) },
)

/** What has to be, reckoned without timers. */
interface Model {
  now: number
  begun: number
  running: boolean
  dueAt: number
  pokedMs: number
  failures: number
  errors: number
  stopped: boolean
}

function beginIfDue(model: Model): void {
  if (model.running || model.stopped || model.now < model.dueAt) return
  model.running = true
  model.begun += 1
  model.pokedMs = Number.POSITIVE_INFINITY
}

function poke(model: Model, withinMs: number): void {
  if (model.stopped) return
  if (model.running) model.pokedMs = Math.min(model.pokedMs, withinMs)
  else if (model.failures === 0) model.dueAt = Math.min(model.dueAt, model.now + withinMs)
}

function take(model: Model, one: Step): void {
  switch (one.do) {
    case 'advance': {
      const until = model.now + one.ms
      if (!model.running && model.dueAt <= until) {
        model.now = Math.max(model.now, model.dueAt)
        beginIfDue(model)
      }
      model.now = until
      return
    }
    case 'poke':
      poke(model, one.withinMs)
      return
    case 'run':
      poke(model, 0)
      return
    case 'end':
      if (!model.running) return
      model.running = false
      model.failures = 0
      model.dueAt = model.now + Math.min(one.nextMs ?? EVERY, model.pokedMs)
      return
    case 'fail':
      if (!model.running) return
      model.running = false
      if (!model.stopped) model.errors += 1
      model.failures += 1
      model.dueAt = model.now + Math.min(RETRY.mostMs, RETRY.firstMs * 2 ** (model.failures - 1))
      return
    case 'stop':
      model.stopped = true
      return
    default:
      one satisfies never
  }
}

describe('a repetition', () => {
  it('keeps its laws in any order of pokes, ends, failures, waits and a stop', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        const { loop, seen, signal, end, fail } = underControl()
        const model: Model = {
          now: 0,
          begun: 0,
          running: false,
          dueAt: EVERY,
          pokedMs: Number.POSITIVE_INFINITY,
          failures: 0,
          errors: 0,
          stopped: false,
        }
        /** Calls of `run`: each waits for the end of a run that began after it. */
        const calls: { after: number; late: boolean; settled: boolean }[] = []
        let stopSettled = false
        for (const one of steps) {
          if (one.do === 'advance') await vi.advanceTimersByTimeAsync(one.ms)
          if (one.do === 'poke') loop.poke(one.withinMs)
          if (one.do === 'run') {
            const call = { after: seen.begun, late: model.stopped, settled: false }
            calls.push(call)
            void loop.run().then(() => {
              call.settled = true
            })
          }
          if (one.do === 'end') end(one.nextMs)
          if (one.do === 'fail') fail(new Error('failed'))
          if (one.do === 'stop')
            void loop.stop().then(() => {
              stopSettled = true
            })
          take(model, one)
          await settle()
          beginIfDue(model)

          expect(seen.mostAtOnce).toBeLessThanOrEqual(1)
          expect([seen.begun, seen.underWay === 1, seen.errors.length]).toEqual([
            model.begun,
            model.running,
            model.errors,
          ])
          if (model.begun > 0) expect(signal()?.aborted).toBe(model.stopped)
          expect(stopSettled).toBe(model.stopped && !model.running)
          const ended = model.running ? model.begun - 1 : model.begun
          for (const { after, late, settled } of calls)
            expect(settled).toBe(late || ended > after || (model.stopped && !model.running))
          expect(vi.getTimerCount()).toBe(model.running || model.stopped ? 0 : 1)
        }
        const stopping = loop.stop()
        end()
        await stopping
        expect(vi.getTimerCount()).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('runs once more after a run in which it was poked many times', async () => {
    const { loop, seen, end } = underControl()
    loop.poke()
    await settle()
    for (let count = 0; count < 100; count += 1) loop.poke()
    expect(seen.begun).toBe(1)
    end()
    await settle()
    expect(seen.begun).toBe(2)
    end()
    await vi.advanceTimersByTimeAsync(EVERY - 1)
    expect(seen.begun).toBe(2)
    await loop.stop()
  })

  it('that is stopped in the tick in which it is poked does not run', async () => {
    const { loop, seen } = underControl()
    loop.poke()
    await loop.stop()
    expect(seen.begun).toBe(0)
  })

  it.each([0, 1, 2, 3, 4, 5, 6])('keeps a poke that comes %i microtasks after what it did', async (turns) => {
    let runs = 0
    const loop = repeat({
      everyMs: Number.POSITIVE_INFINITY,
      onError: (error) => {
        throw error
      },
      run: async () => {
        runs += 1
        if (runs > 1) return
        let later = Promise.resolve()
        for (let turn = 0; turn < turns; turn += 1) later = later.then(() => undefined)
        void later.then(() => loop.poke())
      },
    })
    loop.poke()
    await settle()
    expect(runs).toBe(2)
    await loop.stop()
  })

  it('may be poked from within its own run', async () => {
    let left = 3
    const loop = repeat({
      everyMs: Number.POSITIVE_INFINITY,
      onError: () => undefined,
      run: async () => {
        left -= 1
        if (left > 0) loop.poke()
      },
    })
    loop.poke()
    await vi.advanceTimersByTimeAsync(10)
    expect([left, vi.getTimerCount()]).toEqual([0, 0])
    await loop.stop()
  })

  it('that waits for pokes only tries again by itself what failed', async () => {
    const { loop, seen, end, fail } = underControl({ everyMs: Number.POSITIVE_INFINITY })
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(seen.begun).toBe(0)
    loop.poke()
    await settle()
    fail(new Error('away'))
    await vi.advanceTimersByTimeAsync(RETRY.firstMs)
    expect([seen.begun, seen.errors]).toEqual([2, [new Error('away')]])
    end()
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(seen.begun).toBe(2)
    await loop.stop()
  })

  it('does not run at once when it is to wait longer than a timer of Node can', async () => {
    const month = 31 * 24 * 3_600_000
    const { loop, seen } = underControl({ everyMs: month })
    await vi.advanceTimersByTimeAsync(24 * 3_600_000)
    expect(seen.begun).toBe(0)
    await loop.stop()
  })

  it('keeps the process alive unless it is told not to', async () => {
    vi.useRealTimers()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const quiet = underControl({ keepsAlive: false })
    expect(timers()).toBe(before)
    const loud = underControl()
    expect(timers()).toBe(before + 1)
    await Promise.all([quiet.loop.stop(), loud.loop.stop()])
  })
})
