// Turns are fair: a flood of one key delays another by one turn at most, and nothing waits without a bound.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { fairGate, type Leave } from '../../server/kernel/fair_gate.ts'

const gate = (parts: Partial<Parameters<typeof fairGate>[0]> = {}) =>
  fairGate({
    total: 3,
    perKey: 2,
    waitingPerKey: 8,
    waiting: 100,
    full: () => new Error('full'),
    late: () => new Error('late'),
    ...parts,
  })

/** Lets everything that is settled be told. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a fair gate', () => {
  it('lets so many in at once, in all and of one key', async () => {
    const { enter, counts } = gate()
    const inside: string[] = []
    for (const key of ['a', 'a', 'a', 'b', 'b', 'c']) void enter(key).then(() => inside.push(key))
    await settle()
    expect(inside).toEqual(['a', 'a', 'b'])
    expect(counts()).toEqual({ running: 3, waiting: 3, keys: 3 })
  })

  it('serves those who wait key by key', async () => {
    const { enter } = gate({ total: 1, perKey: 1 })
    const order: string[] = []
    const visit = async (key: string): Promise<void> => {
      const leave = await enter(key)
      order.push(key)
      await settle()
      leave()
    }
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map(visit))
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a', 'a'])
  })

  it('refuses one more than may wait, of a key and in all', async () => {
    const { enter } = gate({ total: 1, waitingPerKey: 2, waiting: 3 })
    await enter('a')
    for (const key of ['a', 'a', 'b']) enter(key).catch(() => undefined)
    await expect(enter('a')).rejects.toThrow('full')
    await expect(enter('c')).rejects.toThrow('full')
  })

  it('tells who waited too long, and forgets them', async () => {
    const { enter, counts } = gate({ total: 1 })
    const leave = await enter('a')
    await expect(enter('b', 5)).rejects.toThrow('late')
    leave()
    leave()
    expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  it('a key that rests has fewer turns, and nobody else waits for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const { enter, counts } = gate({ total: 2, perKey: 1 })
      const rest = await enter('a')
      const leave = await enter('b')
      rest(20_000)
      const other = await enter('c')
      let isBack = false
      const again = enter('a').then((done) => {
        isBack = true
        done()
      })
      leave()
      other()
      await settle()
      expect(isBack).toBe(false)
      expect(counts()).toEqual({ running: 0, waiting: 1, keys: 1 })
      await vi.advanceTimersByTimeAsync(20_000)
      await again
      expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('never passes a ceiling, never forgets a waiter, and ends empty, whatever the order of comings and goings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(5))), async (visits) => {
        const { enter, counts } = gate({ waitingPerKey: 1_000, waiting: 1_000 })
        const inside = new Map<string, number>()
        await Promise.all(
          visits.map(async ([key, turns]) => {
            const leave: Leave = await enter(key)
            inside.set(key, (inside.get(key) ?? 0) + 1)
            expect(inside.get(key)).toBeLessThanOrEqual(2)
            expect([...inside.values()].reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3)
            for (let turn = 0; turn < turns; turn += 1) await settle()
            inside.set(key, (inside.get(key) ?? 0) - 1)
            leave()
          }),
        )
        expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
      }),
      { numRuns: 100 },
    )
  })
})
