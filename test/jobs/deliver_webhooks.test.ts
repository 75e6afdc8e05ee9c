// Who is worked off when, on one server: at once when told of, never twice at once, and none after a stop.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EndpointClaim } from '../../server/domain/webhooks/sending/due_deliveries.ts'
import { startDelivering } from '../../server/jobs/deliver_webhooks.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const SECOND = 1_000

/** The first letter of an id is its owner, a second one its standing. */
const claimOf = (id: string): EndpointClaim => {
  const standing = id.charAt(1) === 's' ? 'slow' : id.charAt(1) === 'u' ? 'unknown' : 'prompt'
  return { owner: id.charAt(0), host: id, standing }
}

/** Endpoints whose work ends when the test says so; `due` is what is found. */
function server(parts: Partial<Parameters<typeof startDelivering>[0]> = {}) {
  const state = { on: true, stopped: false, due: [] as string[], interrupted: false, errors: [] as unknown[] }
  const worked: string[] = []
  const underWay = new Map<string, PromiseWithResolvers<'done' | 'more' | 'busy'>>()
  const resting = new Map<string, (rests: boolean) => void>()
  const left: string[] = []
  const delivering: ReturnType<typeof startDelivering> = startDelivering({
    findDue: async (limit) => {
      const found = state.due.splice(0, limit)
      delivering.order(found)
      return found.length
    },
    leave: async (ids) => void left.push(...ids),
    claims: async (ids) => new Map(ids.map((id) => [id, claimOf(id)])),
    deliver: (id, onRest) => {
      resting.set(id, onRest)
      expect(underWay.has(id), `${id} is worked off twice at once`).toBe(false)
      const work = Promise.withResolvers<'done' | 'more' | 'busy'>()
      worked.push(id)
      underWay.set(id, work)
      return work.promise.finally(() => underWay.delete(id))
    },
    dispatch: {
      isOn: () => state.on && !state.stopped,
      look: async () => undefined,
      stop: () => {
        state.stopped = true
      },
      interrupt: () => {
        state.interrupted = true
        for (const { resolve } of underWay.values()) resolve('more')
      },
    },
    onError: (error) => state.errors.push(error),
    ...parts,
  })
  return {
    state,
    worked,
    left,
    delivering,
    rest: (id: string, rests = true) => resting.get(id)?.(rests),
    end: (id: string, how: 'done' | 'more' | 'busy' = 'done') => underWay.get(id)?.resolve(how),
    fail: (id: string, error: Error) => underWay.get(id)?.reject(error),
  }
}

const settle = () => vi.advanceTimersByTimeAsync(5)

const many = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}`)

const stop = async ({ delivering }: ReturnType<typeof server>): Promise<void> => {
  const closing = delivering.close()
  await vi.advanceTimersByTimeAsync(4 * SECOND)
  await closing
}

describe('an endpoint that has something due', () => {
  it('is worked off at once when it is ordered', async () => {
    const { worked, delivering, end } = server()
    await settle()
    delivering.order(['a1', 'b1', 'a1'])
    await settle()
    expect(worked).toEqual(['a1', 'b1'])
    for (const id of worked) end(id)
    await delivering.close()
  })

  it('is never worked off twice at once, and once more when it was ordered meanwhile, however often', async () => {
    const { worked, delivering, end } = server()
    await settle()
    for (let count = 0; count < 100; count += 1) {
      delivering.order(['a1'])
      await vi.advanceTimersByTimeAsync(50)
    }
    expect(worked).toEqual(['a1'])
    end('a1')
    await settle()
    expect(worked).toEqual(['a1', 'a1'])
    end('a1')
    await vi.advanceTimersByTimeAsync(10 * SECOND)
    expect(worked).toEqual(['a1', 'a1'])
    await delivering.close()
  })

  it('goes on when its time was over before its work, and is left to whoever else is at it', async () => {
    const { worked, delivering, end } = server()
    await settle()
    delivering.order(['a1', 'b1'])
    await settle()
    end('a1', 'more')
    end('b1', 'busy')
    await settle()
    expect(worked).toEqual(['a1', 'b1', 'a1'])
    end('a1')
    await delivering.close()
  })

  it('is worked off again after a failure, which is told and harms no other', async () => {
    const { state, worked, delivering, end, fail } = server()
    await settle()
    delivering.order(['a1', 'b1'])
    await settle()
    fail('a1', new Error('ours'))
    end('b1')
    await settle()
    delivering.order(['a1'])
    await settle()
    expect([worked, state.errors]).toEqual([['a1', 'b1', 'a1'], [new Error('ours')]])
    end('a1')
    await delivering.close()
  })

  it('is not forgotten when whose it is could not be read', async () => {
    let away = true
    const { state, worked, delivering, end } = server({
      claims: async (ids) => {
        if (away) throw new Error('away')
        return new Map(ids.map((id) => [id, claimOf(id)]))
      },
    })
    await settle()
    delivering.order(['a1'])
    await settle()
    expect([worked, state.errors]).toEqual([[], [new Error('away')]])
    away = false
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(worked).toEqual(['a1'])
    end('a1')
    await delivering.close()
  })
})

describe('endpoints of one owner that hang', () => {
  /** All that work rest, again and again, until no other begins. Returns how many worked after each time. */
  const restAll = async ({ worked, rest }: ReturnType<typeof server>): Promise<number[]> => {
    const waves: number[] = []
    for (; waves.at(-1) !== worked.length; await settle()) {
      waves.push(worked.length)
      for (const id of worked) rest(id)
    }
    return waves
  }

  it('never hold up those that answered last time, however many they are', async () => {
    const one = server()
    await settle()
    one.delivering.order([...many('au', 1_000), ...many('as', 1_000)])
    await settle()
    await restAll(one)
    one.delivering.order(['a1'])
    await settle()
    expect(one.worked).toContain('a1')
    await stop(one)
  })

  it('hold up those that nobody knows yet until they rest, and no longer', async () => {
    const one = server()
    await settle()
    one.delivering.order([...many('as', 300), ...many('au', 261)])
    await settle()
    const waves = await restAll(one)
    expect(one.worked).toContain('au260')
    // Each wave lasts as long as it takes to notice that a receiver is silent.
    expect(waves.length).toBeLessThanOrEqual(6)
    await stop(one)
  })

  it('are asked again by turns, as many at a time as their share', async () => {
    const one = server()
    await settle()
    one.delivering.order(many('as', 300))
    await settle()
    await restAll(one)
    expect(one.worked).toHaveLength(60)
    one.end('as0')
    await settle()
    expect(one.worked).toEqual(many('as', 61))
    await stop(one)
  })
})

describe('endpoints that find no room', () => {
  const leaving = () => {
    const times = new Map<string, number>()
    const leave = async (ids: readonly string[], afterMs: number) => {
      for (const id of ids) {
        expect(times.has(id), `${id} is left twice`).toBe(false)
        times.set(id, afterMs)
      }
    }
    return { times, leave }
  }

  it.each([
    ['whose receivers answer', 'a', 1_000],
    ['whose receivers hang', 'as', 10_000],
  ])('in the line of their owner, and %s, are left to jobs', async (_, name, afterMs) => {
    const { times, leave } = leaving()
    const one = server({ leave })
    await settle()
    const all = many(name, 6_000)
    one.delivering.order(all)
    await vi.advanceTimersByTimeAsync(SECOND)
    expect(one.worked).toHaveLength(50)
    expect([...times]).toEqual(all.slice(5_050).map((id) => [id, afterMs]))
    times.clear()
    await stop(one)
    expect([...times.keys()].toSorted()).toEqual(all.slice(0, 5_050).toSorted())
  })

  it('before they are put into line are left to jobs by the order', async () => {
    const { times, leave } = leaving()
    const claimed = Promise.withResolvers<Map<string, EndpointClaim>>()
    const one = server({ leave, claims: () => claimed.promise })
    await settle()
    const all = many('a', 20_007)
    await one.delivering.order([...all, ...all.slice(0, 10)])
    expect([...times.keys()]).toEqual(all.slice(20_000))
    times.clear()
    const stopped = stop(one)
    claimed.resolve(new Map())
    await stopped
  })
})

describe('a server', () => {
  it('begins nothing while dispatch is off, and what is due each time that it is on again', async () => {
    const { state, worked, delivering, end } = server()
    state.on = false
    state.due = ['a1']
    await settle()
    delivering.order(['b1'])
    await vi.advanceTimersByTimeAsync(5 * SECOND)
    expect(worked).toEqual([])
    state.on = true
    await vi.advanceTimersByTimeAsync(SECOND + 5)
    expect(worked).toEqual(['a1'])
    end('a1')
    state.due = ['c1']
    await vi.advanceTimersByTimeAsync(5 * SECOND)
    expect(worked).toEqual(['a1'])
    state.on = false
    await vi.advanceTimersByTimeAsync(SECOND + 5)
    state.on = true
    await vi.advanceTimersByTimeAsync(SECOND + 5)
    expect(worked).toEqual(['a1', 'c1'])
    end('c1')
    await delivering.close()
  })

  it('that stops gives what is under way three seconds, breaks it off, begins nothing, and leaves the rest to others', async () => {
    const { state, worked, left, delivering } = server()
    await settle()
    delivering.order(['a1'])
    await settle()
    let closed = false
    const closing = delivering.close().then(() => {
      closed = true
    })
    delivering.order(['c1'])
    await vi.advanceTimersByTimeAsync(2_900)
    expect([closed, state.interrupted]).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(200)
    await closing
    await vi.advanceTimersByTimeAsync(10 * SECOND)
    expect([state.interrupted, worked, vi.getTimerCount()]).toEqual([true, ['a1'], 0])
    expect(left.toSorted()).toEqual(['a1', 'c1'])
  })
})
