// Whoever floods a server with requests over budget gets its refusals at an even rate; everybody else at once.
import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { refusalPace } from '../../server/admission/door.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the pace of refusals', () => {
  it('the first ones are told at once, and no key waits for another', async () => {
    const pace = refusalPace({ perSecond: 10 })
    for (let n = 0; n < 20; n += 1) expect(await pace.hold('a')).toBe(0)
    const late = pace.hold('a')
    expect(await pace.hold('b')).toBe(0)
    await vi.advanceTimersByTimeAsync(100)
    expect(await late).toBe(100)
    pace.close()
  })

  it('however many lanes a flood has, it gets so many a second; nobody waits for more than five', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 50 }),
        async (lanes, perSecond) => {
          const pace = refusalPace({ perSecond })
          let told = 0
          let stopped = false
          let longest = 0
          const lane = async (): Promise<void> => {
            while (!stopped) {
              longest = Math.max(longest, await pace.hold('flood'))
              told += 1
              // A lane asks again after a millisecond at the earliest.
              await new Promise((resolve) => setTimeout(resolve, 1))
            }
          }
          const all = Array.from({ length: lanes }, lane)
          const seconds = 20
          await vi.advanceTimersByTimeAsync(seconds * 1_000)
          stopped = true
          pace.close()
          await vi.advanceTimersByTimeAsync(10)
          await Promise.all(all)
          expect(longest).toBeLessThanOrEqual(5_001)
          // Lanes beyond what five seconds hold are answered after five seconds each.
          const rate = Math.max(perSecond, lanes / 5)
          expect(told).toBeLessThanOrEqual(2 * perSecond + rate * seconds + 2 * lanes + 1)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('however many connections one has, each waits; one that goes gives its refusal up', async () => {
    const pace = refusalPace({ perSecond: 1 })
    const connections = Array.from({ length: 2_000 }, () =>
      Object.assign(new EventEmitter(), { closed: false }),
    )
    const held = connections.map((connection) => pace.hold('a', connection))
    let told = 0
    for (const one of held) void one.then(() => (told += 1))
    await vi.advanceTimersByTimeAsync(0)
    // Two seconds' worth at once.
    expect(told).toBe(2)
    for (const connection of connections.slice(1_000)) connection.emit('close')
    await vi.advanceTimersByTimeAsync(0)
    expect(told).toBe(1_002)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(told).toBe(2_000)
    expect(connections.every((connection) => connection.listenerCount('close') === 0)).toBe(true)
    pace.close()
  })

  it('who stays away for a while is told at once again', async () => {
    const pace = refusalPace({ perSecond: 10 })
    for (let n = 0; n < 20; n += 1) await pace.hold('a')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await pace.hold('a')).toBe(0)
    pace.close()
  })

  it('when the server stops, everything that waits is told', async () => {
    const pace = refusalPace({ perSecond: 1 })
    const all = Array.from({ length: 50 }, () => pace.hold('a'))
    pace.close()
    expect((await Promise.all(all)).every((ms) => ms === 0)).toBe(true)
    expect(await pace.hold('a')).toBe(0)
  })
})
