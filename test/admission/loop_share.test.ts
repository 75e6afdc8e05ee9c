// Whoever takes more than a share of the thread's time rests, but only while others are here.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { loopShare } from '../../server/admission/loop.ts'

function shared(parts: Partial<Parameters<typeof loopShare>[0]> = {}) {
  let at = 0
  let busy = 0
  const shares = loopShare({
    share: 0.1,
    inAll: 0.3,
    free: 50,
    longest: 5_000,
    now: () => at,
    busyMs: () => busy,
    ...parts,
  })
  return {
    ...shares,
    /** The thread works for so long. */
    work: (ms: number) => {
      at += ms
      busy += ms
    },
    /** Nothing happens for so long. */
    idle: (ms: number) => {
      at += ms
    },
  }
}

describe('shares of the thread', () => {
  it('who is alone never rests', () => {
    const { note, begin, work } = shared()
    note('a')
    const end = begin('a')
    work(10_000)
    expect(end(0)).toBe(0)
  })

  it('what is free is not rested off; what is beyond it is, ten times as long', () => {
    const { note, begin, work } = shared()
    note('b')
    note('a')
    const first = begin('a')
    work(50)
    expect(first(0)).toBe(0)
    const second = begin('a')
    work(20)
    // Ten milliseconds pass while one is worked off.
    expect(second(0)).toBeCloseTo((20 - 20 * 0.1) / 0.1)
  })

  it('whoever was not seen for two seconds is not here', () => {
    const { note, begin, work, idle } = shared()
    note('b')
    idle(2_000)
    note('a')
    const end = begin('a')
    work(200)
    expect(end(0)).toBe(0)
  })

  it('time is divided among the turns that were open, and waiting is not counted', () => {
    const { note, begin, work, idle } = shared({ free: 0 })
    note('b')
    note('a')
    const a = begin('a')
    const b = begin('b')
    work(10)
    idle(1_000)
    work(10)
    note('a')
    note('b')
    expect(a(0)).toBeCloseTo(100)
    expect(b(0)).toBeCloseTo(100)
  })

  it('nobody rests longer than the longest', () => {
    const { note, begin, work } = shared()
    note('b')
    const end = begin('a')
    work(1_900)
    expect(end(0)).toBe(5_000)
  })

  it('bytes of an answer are charged as time is', () => {
    const { note, begin, owedBy } = shared({ free: 0 })
    note('b')
    note('a')
    const end = begin('a')
    expect(end(1_048_576)).toBeCloseTo(40 / 0.1)
    expect(owedBy('a')).toBeCloseTo(40)
  })

  it('where many rest, all of them together work for no more than their part, and come back one after the other', () => {
    const { note, begin, work } = shared({ free: 0 })
    const rests = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => {
      note('x')
      note(key)
      const end = begin(key)
      work(30)
      return end(0)
    })
    // Three have a tenth each. After them one comes back every hundred milliseconds, 30 of which are its work.
    expect(rests.map(Math.round)).toEqual([300, 300, 300, 310, 380, 450])
  })

  it('who is hardly above its share does not wait for the rests of many who were far above', () => {
    const { note, begin, work } = shared()
    for (const key of ['a', 'b', 'c', 'd']) {
      note('x')
      note(key)
      const end = begin(key)
      work(450)
      end(0)
    }
    note('x')
    note('y')
    const end = begin('y')
    work(51)
    expect(end(0)).toBeLessThanOrEqual(5 * 10)
  })

  it('who was alone owes nothing when others come', () => {
    const { note, begin, work } = shared()
    note('a')
    const alone = begin('a')
    work(10_000)
    alone(100_000_000)
    note('b')
    note('a')
    const beside = begin('a')
    work(50)
    expect(beside(0)).toBe(0)
  })

  it('over any time, one key works for no more than its share and what is free and one turn', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 100 }), (turns) => {
        const { note, begin, work, idle } = shared()
        let worked = 0
        let passed = 0
        for (const ms of turns) {
          note('b')
          note('a')
          const end = begin('a')
          work(ms)
          const rest = end(0)
          idle(rest)
          worked += ms
          passed += ms + rest
        }
        expect(worked).toBeLessThanOrEqual(passed * 0.1 + 50 + 0.001)
      }),
    )
  })
})
