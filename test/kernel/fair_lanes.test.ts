// Few lanes and many who want them: fixed shares, turns, and always something for whoever comes next.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fairLanes } from '../../server/kernel/fair_lanes.ts'

const LIMITS = { all: 20, owner: 8, host: 10, waiting: 1_000, waitingOfOwner: 200 }

const takeAll = (lanes: ReturnType<typeof fairLanes>): string[] => {
  const taken: string[] = []
  for (let id = lanes.take(); id !== undefined; id = lanes.take()) taken.push(id)
  return taken
}

describe('lanes', () => {
  it('are held by one owner up to its share, whatever else waits, and by the next at once', () => {
    const lanes = fairLanes(LIMITS)
    for (let n = 0; n < 200; n += 1) lanes.add(`a${n}`, { owner: 'a', host: `host ${n}` })
    expect(takeAll(lanes)).toHaveLength(LIMITS.owner)
    lanes.add('b', { owner: 'b', host: 'b' })
    expect(takeAll(lanes)).toEqual(['b'])
  })

  it('are held for one host up to its share, however many owners send there', () => {
    const lanes = fairLanes(LIMITS)
    for (let n = 0; n < 50; n += 1) lanes.add(`${n}`, { owner: `owner ${n}`, host: 'slow' })
    expect(takeAll(lanes)).toHaveLength(LIMITS.host)
    lanes.add('other', { owner: 'owner 1', host: 'quick' })
    expect(takeAll(lanes)).toEqual(['other'])
  })

  it('are never all held by those who came first: several owners together leave some to the next ones', () => {
    const lanes = fairLanes({ ...LIMITS, all: 250, owner: 50, host: 100 })
    const shares = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((owner) => {
      for (let n = 0; n < 100; n += 1) lanes.add(`${owner}${n}`, { owner, host: `${owner}${n}` })
      return takeAll(lanes).length
    })
    expect(shares).toEqual([50, 50, 50, 50, 25, 13, 6, 3])
  })

  it('go by turns among owners, and among the hosts of each, the longest waiting first', () => {
    const lanes = fairLanes({ ...LIMITS, all: 100 })
    for (const id of ['a1 x', 'a2 x', 'a3 x', 'a4 y', 'b1 x', 'b2 z'])
      lanes.add(id, { owner: id.charAt(0), host: id.slice(3) })
    expect(takeAll(lanes)).toEqual(['a1 x', 'b1 x', 'a4 y', 'b2 z', 'a2 x', 'a3 x'])
  })

  it('are waited for once, and by no more than may wait', () => {
    const lanes = fairLanes({ ...LIMITS, waitingOfOwner: 2, waiting: 3 })
    const claim = (owner: string) => ({ owner, host: 'h' })
    expect(lanes.add('1', claim('a'))).toBe(true)
    expect(lanes.add('1', claim('a'))).toBe(true)
    expect(lanes.add('2', claim('a'))).toBe(true)
    expect(lanes.add('3', claim('a'))).toBe(false)
    expect(lanes.add('4', claim('b'))).toBe(true)
    expect(lanes.add('5', claim('c'))).toBe(false)
    expect(takeAll(lanes)).toEqual(['1', '4', '2'])
    expect(lanes.add('1', claim('a'))).toBe(true)
    expect(lanes.take()).toBeUndefined()
    lanes.done('1')
    expect(lanes.has('1')).toBe(false)
    lanes.add('1', claim('a'))
    expect(lanes.take()).toBe('1')
  })

  it('keep their shares and lose nobody, in every order of steps', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), owner: fc.nat(4), host: fc.nat(3), id: fc.nat(60) }),
      fc.record({ do: fc.constant('take' as const) }),
      fc.record({ do: fc.constant('done' as const), which: fc.nat(30) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const lanes = fairLanes(LIMITS)
        const held: { id: string; owner: number; host: number }[] = []
        const known = new Map<string, { owner: number; host: number }>()
        for (const one of steps) {
          if (one.do === 'add' && !known.has(`${one.id}`)) {
            lanes.add(`${one.id}`, { owner: `${one.owner}`, host: `${one.host}` })
            known.set(`${one.id}`, { owner: one.owner, host: one.host })
          }
          if (one.do === 'take') {
            const id = lanes.take()
            const claim = known.get(id ?? '')
            if (id !== undefined && claim !== undefined) held.push({ id, ...claim })
          }
          if (one.do === 'done' && held.length > 0) {
            const [gone] = held.splice(one.which % held.length, 1)
            lanes.done(gone?.id ?? '')
            known.delete(gone?.id ?? '')
          }
          expect(held.length).toBeLessThanOrEqual(LIMITS.all)
          for (const by of ['owner', 'host'] as const)
            for (const { [by]: name } of held)
              expect(held.filter((other) => other[by] === name).length).toBeLessThanOrEqual(LIMITS[by])
        }
        // With everything given back, whoever waits comes to his turn.
        while (known.size > 0) {
          for (const { id } of held.splice(0)) {
            lanes.done(id)
            known.delete(id)
          }
          const id = lanes.take()
          if (id === undefined) break
          held.push({ id, owner: 0, host: 0 })
        }
        expect(known.size).toBe(0)
      }),
    )
  })
})
