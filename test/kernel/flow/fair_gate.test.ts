// Turns are fair: a flood of one key delays another by one turn at most, and nothing waits without a bound.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { fairGate, type Leave } from '../../../server/kernel/flow/fair_gate.ts'
import { Endable } from '../../../server/kernel/flow/lasting.ts'

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

const VISITS = fc.tuple(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.nat(5),
  fc.constantFrom('plain', 'rests', 'resumes'),
)

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

  it('whoever cost least goes next, and of those who cost the same whoever waits longest', async () => {
    const { enter } = gate({ total: 1, perKey: 1 })
    const costs = new Map([
      ['a', 3],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ])
    const order: string[] = []
    const visit = async (key: string): Promise<void> => {
      const leave = await enter(key, undefined, { cost: () => costs.get(key) ?? 0 })
      order.push(key)
      costs.set(key, (costs.get(key) ?? 0) + 2)
      await settle()
      leave()
    }
    const first = await enter('x')
    const visits = ['a', 'a', 'b', 'b', 'c', 'd'].map(visit)
    first()
    await Promise.all(visits)
    expect(order).toEqual(['b', 'c', 'd', 'a', 'b', 'a'])
  })

  it('refuses one more than may wait beside those with a turn, of a key and in all', async () => {
    const { enter } = gate({ total: 1, perKey: 1, waitingPerKey: 2, waiting: 10 })
    await enter('a')
    for (const key of ['a', 'a', 'b', 'b', 'b']) enter(key).catch(() => undefined)
    await expect(enter('a')).rejects.toThrow('full')
    await expect(enter('b')).rejects.toThrow('full')
  })

  it('greedy keys leave a place to wait, and a turn, for one who has none', async () => {
    const { enter, counts } = gate({ total: 8, perKey: 4, waitingPerKey: 100, waiting: 16 })
    const greedy = ['a', 'b', 'c'].flatMap((key) =>
      Array.from({ length: 50 }, () => enter(key).then(() => undefined, String)),
    )
    await settle()
    expect(counts().running).toBeLessThan(8)
    expect(counts().waiting).toBeLessThan(16)
    await expect(Promise.race([enter('innocent').then(() => 'in'), settle()])).resolves.toBe('in')
    await expect(
      Promise.race(greedy.map((one) => one.then((told) => told ?? new Promise(() => undefined)))),
    ).resolves.toBe('Error: full')
  })

  it('forgets a waiter whose work is over', async () => {
    const { enter, counts } = gate({ total: 1 })
    const leave = await enter('a')
    const work = new Endable()
    const waits = enter('b', undefined, { work })
    work.end()
    await expect(waits).rejects.toThrow('late')
    leave()
    expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  it('tells who waited too long, and forgets them', async () => {
    const { enter, counts } = gate({ total: 1 })
    const leave = await enter('a')
    await expect(enter('b', 5)).rejects.toThrow('late')
    leave()
    leave()
    expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
  })

  it('a rest takes no place: nobody else waits for it, and whoever rests waits and is not refused', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { enter, counts, isBusy } = gate({ total: 2, perKey: 1, waitingPerKey: 1 })
      for (let turn = 0; turn < 3; turn += 1) {
        let isBack = false
        const again = enter('a').then((leave) => {
          isBack = true
          return leave
        })
        await settle()
        expect(isBack).toBe(turn === 0)
        await vi.advanceTimersByTimeAsync(turn === 0 ? 0 : 20_000)
        const leave = await again
        leave(20_000)
        expect([counts().running, isBusy('a')]).toEqual([0, false])
        const others = await Promise.all([enter('b'), enter('c')])
        for (const done of others) done()
      }
      await vi.advanceTimersByTimeAsync(20_000)
      expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('leaves nothing at work that has waited, however often', async () => {
    const { enter } = gate({ total: 1 })
    const work = new Endable()
    for (let times = 0; times < 50; times += 1) {
      const others = await enter('a')
      const ours = enter('b', 60_000, { work })
      others()
      const leave = await ours
      leave()
    }
    expect(work.listenerCount('close')).toBe(0)
  })

  it('whoever resumes waits for no rest of its key, and ends none', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { enter, counts } = gate({ total: 2, perKey: 1 })
      const first = await enter('a')
      first(20_000)
      const order: string[] = []
      const waits = enter('a').then((leave) => {
        order.push('new')
        leave()
      })
      const resumed = await enter('a', undefined, { resumes: true })
      order.push('resumed')
      resumed()
      await vi.advanceTimersByTimeAsync(19_000)
      expect(order).toEqual(['resumed'])
      await vi.advanceTimersByTimeAsync(2_000)
      await waits
      expect(order).toEqual(['resumed', 'new'])
      expect(counts()).toEqual({ running: 0, waiting: 0, keys: 0 })
    } finally {
      vi.useRealTimers()
    }
  })

  it('whoever resumes goes before those of its key who had no turn', async () => {
    const { enter, isResumed } = gate({ total: 2, perKey: 1 })
    const order: string[] = []
    const visit = async (name: string, resumes: boolean): Promise<void> => {
      const leave = await enter('a', undefined, { resumes })
      order.push(name)
      await settle()
      leave()
    }
    const first = await enter('a')
    const visits = [visit('new', false), visit('resumed', true), visit('resumed too', true)]
    expect([isResumed('a'), isResumed('b')]).toEqual([true, false])
    first()
    await Promise.all(visits)
    expect(order).toEqual(['resumed', 'resumed too', 'new'])
    expect(isResumed('a')).toBe(false)
  })

  it('whoever resumes is not refused, however many of its key came meanwhile', async () => {
    const { enter } = gate({ perKey: 1, waitingPerKey: 1 })
    const running = await enter('a')
    const waits = enter('a')
    await expect(enter('a')).rejects.toThrow('full')
    const resumed = enter('a', undefined, { resumes: true })
    running()
    ;(await resumed)()
    ;(await waits)()
  })

  it('tells how long the first of a key waits, but not while the key rests', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { enter, waitsMs } = gate({ perKey: 1 })
      const leave = await enter('a')
      expect(waitsMs('a')).toBe(0)
      void enter('a')
      await vi.advanceTimersByTimeAsync(2_000)
      void enter('a')
      await vi.advanceTimersByTimeAsync(1_000)
      expect([waitsMs('a'), waitsMs('b')]).toEqual([3_000, 0])
      leave(5_000)
      await vi.advanceTimersByTimeAsync(4_000)
      expect(waitsMs('a')).toBe(0)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(waitsMs('a')).toBe(7_000)
    } finally {
      vi.useRealTimers()
    }
  })

  it('never passes a ceiling, never forgets a waiter, and ends empty, whatever the order of comings and goings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(VISITS), async (visits) => {
        const { enter, counts } = gate({ waitingPerKey: 1_000, waiting: 1_000 })
        const inside = new Map<string, number>()
        await Promise.all(
          visits.map(async ([key, turns, how]) => {
            if (how === 'resumes') (await enter(key))()
            const leave: Leave = await enter(key, undefined, { resumes: how === 'resumes' })
            inside.set(key, (inside.get(key) ?? 0) + 1)
            expect(inside.get(key)).toBeLessThanOrEqual(2)
            expect([...inside.values()].reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3)
            for (let turn = 0; turn < turns; turn += 1) await settle()
            inside.set(key, (inside.get(key) ?? 0) - 1)
            leave(how === 'rests' ? 1 : 0)
          }),
        )
        await expect.poll(counts, { interval: 1 }).toEqual({ running: 0, waiting: 0, keys: 0 })
      }),
      { numRuns: 100 },
    )
  })
})
