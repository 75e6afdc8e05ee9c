// Group commit: calls share runs, one bad input does not fail its neighbours, and there are ceilings.
import { describe, expect, it } from 'vitest'
import { type GatherOptions, gather, type Settled } from '../../../server/kernel/flow/gather.ts'

const OPTIONS: GatherOptions<number> = {
  max: 4,
  lanes: 1,
  ceiling: 8,
  full: () => new Error('full'),
  isWhole: () => false,
}

/** A run that can be let go by hand; notes what it was given. */
function held() {
  const runs: (readonly number[])[] = []
  const gates: (() => void)[] = []
  const senders: (() => void)[] = []
  return {
    runs,
    release: () => gates.shift()?.(),
    /** The oldest run that is not sent yet has only its answer to wait for. */
    send: () => senders.shift()?.(),
    run: async (inputs: readonly number[], onSent: () => void): Promise<Settled<number>[]> => {
      runs.push(inputs)
      senders.push(onSent)
      await new Promise<void>((resolve) => void gates.push(resolve))
      return inputs.map((input) => ({ value: input * 10 }))
    },
  }
}
/** Everything that is ready has run. */
const turn = async () => {
  for (let pass = 0; pass < 3; pass += 1) await new Promise((resolve) => setImmediate(resolve))
}
const settled = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map((one) =>
    one.status === 'fulfilled' ? one.value : String(one.reason?.message ?? one.reason),
  )

describe('gathered calls', () => {
  it('of one turn share a run, in order, and each gets its own outcome', async () => {
    const runs: (readonly number[])[] = []
    const call = gather<number, number>(async (inputs) => {
      runs.push(inputs)
      return inputs.map((input) => (input === 2 ? { error: new Error('two') } : { value: input * 10 }))
    }, OPTIONS)
    expect(await settled([call(1), call(2), call(3)])).toEqual([10, 'two', 30])
    expect(runs).toEqual([[1, 2, 3]])
  })

  it('that come while a run is under way share the next one, at most so many', async () => {
    const { run, runs, release } = held()
    const call = gather(run, OPTIONS)
    const first = call(1)
    await turn()
    const rest = [2, 3, 4, 5, 6].map(call)
    release()
    await first
    await turn()
    release()
    await rest[0]
    await turn()
    expect(runs).toEqual([[1], [2, 3, 4, 5], [6]])
    release()
    expect(await settled(rest)).toEqual([20, 30, 40, 50, 60])
  })

  it('use a further lane only when the run before was sent, and no more lanes than there are', async () => {
    const { run, runs, send, release } = held()
    const call = gather(run, { ...OPTIONS, max: 1, lanes: 2 })
    const calls = [1, 2, 3].map(call)
    await turn()
    expect(runs).toEqual([[1]])
    send()
    await turn()
    expect(runs).toEqual([[1], [2]])
    send()
    await turn()
    expect(runs).toEqual([[1], [2]])
    for (let step = 0; step < 3; step += 1) {
      release()
      await turn()
    }
    expect(await settled(calls)).toEqual([10, 20, 30])
  })

  it('use a further lane only when half as many wait as were sent', async () => {
    const { run, runs, send, release } = held()
    const call = gather(run, { ...OPTIONS, lanes: 2 })
    const calls = [1, 2, 3, 4].map(call)
    await turn()
    send()
    calls.push(call(5))
    await turn()
    expect(runs).toEqual([[1, 2, 3, 4]])
    calls.push(call(6))
    await turn()
    expect(runs).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ])
    release()
    release()
    expect(await settled(calls)).toEqual([10, 20, 30, 40, 50, 60])
  })

  it('of different keys take turns, so that a flood of one does not make another wait behind it', async () => {
    const { run, runs, release } = held()
    const call = gather(run, {
      ...OPTIONS,
      ceiling: 100,
      ceilingOfKey: 7,
      keyOf: (input) => String(input % 10),
    })
    const first = call(0)
    await turn()
    const flood = [1, 11, 21, 31, 41, 51, 61].map(call)
    const others = [2, 12, 3].map(call)
    await expect(call(71)).rejects.toThrow('full')
    for (let step = 0; step < 4; step += 1) {
      release()
      await turn()
    }
    expect(runs).toEqual([[0], [1, 2, 3, 11], [12, 21, 31, 41], [51, 61]])
    expect((await settled([first, ...flood, ...others])).length).toBe(11)
  })

  it('share a run up to its weight, and one that is heavier has a run of its own', async () => {
    const { run, runs, release } = held()
    const call = gather(run, { ...OPTIONS, weigh: (input) => input, heaviest: 10 })
    const calls = [4, 6, 1, 20, 2].map(call)
    for (let step = 0; step < 4; step += 1) {
      await turn()
      release()
    }
    expect(runs).toEqual([[4, 6], [1], [20], [2]])
    expect(await settled(calls)).toEqual([40, 60, 10, 200, 20])
  })

  it('beyond the ceiling are refused at once, and the others go on', async () => {
    const { run, release } = held()
    const call = gather(run, { ...OPTIONS, ceiling: 2 })
    const first = call(0)
    await turn()
    const waiting = [call(1), call(2)]
    await expect(call(3)).rejects.toThrow('full')
    release()
    await first
    await turn()
    release()
    expect(await settled(waiting)).toEqual([10, 20])
    const later = call(4)
    await turn()
    release()
    expect(await later).toBe(40)
  })
})

describe('a run that fails as a whole', () => {
  it('is tried again one by one, so that one bad input does not fail its neighbours', async () => {
    const runs: (readonly number[])[] = []
    const call = gather<number, number>(async (inputs) => {
      runs.push(inputs)
      if (inputs.includes(13)) throw new Error('thirteen')
      return inputs.map((value) => ({ value }))
    }, OPTIONS)
    expect(await settled([call(1), call(13), call(3)])).toEqual([1, 'thirteen', 3])
    expect(runs).toEqual([[1, 13, 3], [1], [13], [3]])
  })

  it('is not tried again when that is of no use', async () => {
    let runs = 0
    const call = gather<number, number>(
      async () => {
        runs += 1
        throw new Error('away')
      },
      { ...OPTIONS, isWhole: () => true },
    )
    expect(await settled([call(1), call(2)])).toEqual(['away', 'away'])
    expect(runs).toBe(1)
  })

  it('and one of its inputs alone with an error that concerns all is not tried further', async () => {
    let away = true
    const runs: (readonly number[])[] = []
    const call = gather<number, number>(
      async (inputs) => {
        runs.push(inputs)
        if (away && runs.length > 2) throw new Error('away')
        if (away && inputs.length > 1) throw new Error('one of them')
        return inputs.map((value) => ({ value }))
      },
      { ...OPTIONS, isWhole: (error) => error instanceof Error && error.message === 'away' },
    )
    expect(await settled([1, 2, 3, 4, 5, 6].map(call))).toEqual([1, ...Array(5).fill('away')])
    expect(runs).toEqual([[1, 2, 3, 4], [1], [2]])
    away = false
    expect(await call(7)).toBe(7)
  })

  it('or answers too few outcomes fails those that got none, and the next run works', async () => {
    let short = true
    const call = gather<number, number>(
      async (inputs) => (short ? [{ value: 1 }] : inputs.map((value) => ({ value }))),
      OPTIONS,
    )
    const [one, two] = await settled([call(1), call(2)])
    expect([one, two]).toEqual([1, expect.stringContaining('fewer outcomes')])
    short = false
    expect(await call(5)).toBe(5)
  })
})
