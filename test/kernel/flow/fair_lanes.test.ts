// Few lanes and many who want them: fixed shares, turns, and always something for whoever comes next.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairLanes } from '../../../server/kernel/flow/fair_lanes.ts'

const SHARES = { all: 20, owner: 8, host: 10 }
const HELD = { all: 60, owner: 20, host: 25 }
const LINE = { waiting: 1_000, waitingOfOwner: 200 }

const open = (working = SHARES, held = HELD, line = LINE) => new FairLanes({ working, held, ...line })

const takeAll = (lanes: FairLanes): string[] => {
  const taken: string[] = []
  for (let id = lanes.take(); id !== undefined; id = lanes.take()) taken.push(id)
  return taken
}

describe('lanes', () => {
  it('are held by one owner up to its share, whatever else waits, and by the next at once', () => {
    const lanes = open()
    for (let n = 0; n < 200; n += 1) lanes.add(`a${n}`, { owner: 'a', host: `host ${n}` })
    expect(takeAll(lanes)).toHaveLength(SHARES.owner)
    lanes.add('b', { owner: 'b', host: 'b' })
    expect(takeAll(lanes)).toEqual(['b'])
  })

  it('are held for one host up to its share, however many owners send there', () => {
    const lanes = open()
    for (let n = 0; n < 50; n += 1) lanes.add(`${n}`, { owner: `owner ${n}`, host: 'slow' })
    expect(takeAll(lanes)).toHaveLength(SHARES.host)
    lanes.add('other', { owner: 'owner 1', host: 'quick' })
    expect(takeAll(lanes)).toEqual(['other'])
  })

  it('are never all held by those who came first: several owners together leave some to the next ones', () => {
    const shares = { all: 250, owner: 50, host: 100 }
    const lanes = open(shares, shares)
    const taken = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((owner) => {
      for (let n = 0; n < 100; n += 1) lanes.add(`${owner}${n}`, { owner, host: `${owner}${n}` })
      return takeAll(lanes).length
    })
    expect(taken).toEqual([50, 50, 50, 50, 25, 13, 6, 3])
  })

  it('go by turns among owners, and among the hosts of each, the longest waiting first', () => {
    const lanes = open({ ...SHARES, all: 100 })
    for (const id of ['a1 x', 'a2 x', 'a3 x', 'a4 y', 'b1 x', 'b2 z'])
      lanes.add(id, { owner: id.charAt(0), host: id.slice(3) })
    expect(takeAll(lanes)).toEqual(['a1 x', 'b1 x', 'a4 y', 'b2 z', 'a2 x', 'a3 x'])
  })

  it('are waited for once, and by no more than may wait', () => {
    const lanes = open(SHARES, HELD, { waitingOfOwner: 2, waiting: 3 })
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

  it('are free for the next while their work rests, up to what may be held', () => {
    const lanes = open()
    for (let n = 0; n < 50; n += 1) lanes.add(`a${n}`, { owner: 'a', host: `host ${n}` })
    const waves: number[] = []
    for (let wave = takeAll(lanes); wave.length > 0; wave = takeAll(lanes)) {
      waves.push(wave.length)
      for (const id of wave) lanes.rest(id, true)
    }
    expect(waves).toEqual([8, 8, 4])
    lanes.done('a0')
    expect(takeAll(lanes)).toEqual(['a20'])
  })

  it('work again at once when their rest ends, and the next waits until so many are free again', () => {
    const lanes = open()
    for (let n = 0; n < 17; n += 1) lanes.add(`a${n}`, { owner: 'a', host: `host ${n}` })
    const first = takeAll(lanes)
    for (const id of first) lanes.rest(id, true)
    const second = takeAll(lanes)
    for (const id of first) lanes.rest(id, false)
    for (const id of first) lanes.done(id)
    expect(lanes.take()).toBeUndefined()
    lanes.rest(second[0] ?? '', true)
    lanes.rest(second[0] ?? '', true)
    expect(takeAll(lanes)).toEqual(['a16'])
    lanes.done(second[0] ?? '')
    lanes.add('a0', { owner: 'a', host: 'h' })
    expect(lanes.take()).toBeUndefined()
  })

  it('keep their shares and lose nobody, in every order of steps', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('add' as const), owner: fc.nat(4), host: fc.nat(3), id: fc.nat(99) }),
      fc.record({ do: fc.constant('take' as const) }),
      fc.record({ do: fc.constant('rest' as const), which: fc.nat(60) }),
      fc.record({ do: fc.constant('wake' as const), which: fc.nat(60) }),
      fc.record({ do: fc.constant('done' as const), which: fc.nat(60) }),
    )
    interface Lane {
      readonly id: string
      readonly owner: number
      readonly host: number
      rests: boolean
    }
    /** Whether so many hold lanes, and work, as may. */
    const isWithin = (lanes: readonly Lane[], shares: typeof SHARES, next: Lane): boolean =>
      lanes.length <= shares.all &&
      (['owner', 'host'] as const).every(
        (by) => lanes.filter((lane) => lane[by] === next[by]).length <= shares[by],
      )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const lanes = open()
        const held: Lane[] = []
        const known = new Map<string, { owner: number; host: number }>()
        const of = (which: number): Lane | undefined => held[which % Math.max(1, held.length)]
        for (const one of steps) {
          if (one.do === 'add' && !known.has(`${one.id}`)) {
            lanes.add(`${one.id}`, { owner: `${one.owner}`, host: `${one.host}` })
            known.set(`${one.id}`, { owner: one.owner, host: one.host })
          }
          if (one.do === 'take') {
            const id = lanes.take()
            const claim = known.get(id ?? '')
            if (id === undefined || claim === undefined) continue
            const next = { id, ...claim, rests: false }
            held.push(next)
            expect(isWithin(held, HELD, next)).toBe(true)
            const working = held.filter(({ rests }) => !rests)
            expect(isWithin(working, SHARES, next)).toBe(true)
          }
          if (one.do === 'rest' || one.do === 'wake') {
            const lane = of(one.which)
            if (lane === undefined) continue
            lane.rests = one.do === 'rest'
            lanes.rest(lane.id, lane.rests)
          }
          if (one.do === 'done') {
            const lane = of(one.which)
            if (lane === undefined) continue
            held.splice(held.indexOf(lane), 1)
            lanes.done(lane.id)
            known.delete(lane.id)
          }
        }
        // With everything given back, whoever waits comes to his turn.
        while (known.size > 0) {
          for (const { id } of held.splice(0)) {
            lanes.done(id)
            known.delete(id)
          }
          const id = lanes.take()
          if (id === undefined) break
          held.push({ id, owner: 0, host: 0, rests: false })
        }
        expect(known.size).toBe(0)
      }),
    )
  })
})
