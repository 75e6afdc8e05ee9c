// Long work leaves the thread to others between its pieces.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inPieces, mapInPieces } from '../../../server/kernel/flow/in_pieces.ts'

let at = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  at = 0
  vi.spyOn(performance, 'now').mockImplementation(() => at)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const loop = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Time passes by what the test's work takes, and by the timers that it waits for. */
async function passing(done: Promise<unknown>): Promise<void> {
  let isOver = false
  void done.then(() => {
    isOver = true
  })
  for (;;) {
    for (let n = 0; n < 4; n += 1) await loop()
    if (isOver) return
    if (vi.getTimerCount() === 0) continue
    at += 1
    await vi.advanceTimersByTimeAsync(1)
  }
}

const breatheAlone = (isCrowded: boolean) => inPieces().yieldingFor('a', () => isCrowded)

describe('work in pieces', () => {
  it('goes on at once while its piece is short', () => {
    const yieldToEventLoop = breatheAlone(true)
    at = 1
    expect(yieldToEventLoop()).toBeUndefined()
  })

  it('lets others pass once, and then leaves them three times as long as each piece took', async () => {
    const { yieldingFor } = inPieces()
    const yieldToEventLoop = yieldingFor('a', () => true)
    const began: number[] = []
    const work = async (): Promise<void> => {
      for (let piece = 0; piece < 6; piece += 1) {
        began.push(at)
        at += 4
        await yieldToEventLoop()
      }
    }
    const done = work()
    await passing(done)
    // The first two are passed once. From then on twelve milliseconds lie between four and four.
    expect(began).toEqual([0, 4, 8, 24, 40, 56])
  })

  it('all long work together has one rest, and keys take pieces alternately', async () => {
    const { yieldingFor } = inPieces()
    const order: string[] = []
    const work = async (key: string, name: string): Promise<void> => {
      const yieldToEventLoop = yieldingFor(key, () => true)
      for (let piece = 0; piece < 5; piece += 1) {
        order.push(name)
        at += 4
        await yieldToEventLoop()
      }
    }
    await passing(Promise.all([work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b')]))
    // Whoever has three works under way gets no more pieces than whoever has one.
    expect(order.slice(8, 14).filter((name) => name === 'b')).toHaveLength(3)
    expect(at).toBeGreaterThanOrEqual(12 * (4 + 12))
  })

  it('what is small takes one pass of the event loop each, keys alternately, and rests as long as it works', async () => {
    const { take } = inPieces()
    const began: (readonly [string, number])[] = []
    const small = async (key: string): Promise<void> => {
      await take(key)
      began.push([key, at])
      at += 1
    }
    await passing(Promise.all(['a', 'a', 'a', 'b'].map(small)))
    expect(began).toEqual([
      ['a', 0],
      ['b', 1],
      ['a', 4],
      ['a', 5],
    ])
  })

  it('who is alone does not rest', async () => {
    const yieldToEventLoop = breatheAlone(false)
    for (let piece = 0; piece < 8; piece += 1) {
      at += 4
      await yieldToEventLoop()
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('what waited for something else is no long piece', async () => {
    const yieldToEventLoop = breatheAlone(true)
    const work = async (): Promise<void> => {
      for (let piece = 0; piece < 5; piece += 1) {
        at += 10_000
        await yieldToEventLoop()
      }
    }
    await passing(work())
    expect(at).toBeLessThanOrEqual(5 * 10_000 + 4 * 18)
  })

  it('maps everything, in order', async () => {
    const yieldToEventLoop = breatheAlone(true)
    const mapped = mapInPieces(
      Array.from({ length: 100 }, (_, n) => n),
      (n) => {
        at += 1
        return n * 2
      },
      yieldToEventLoop,
    )
    await passing(mapped)
    expect(await mapped).toEqual(Array.from({ length: 100 }, (_, n) => n * 2))
  })
})
