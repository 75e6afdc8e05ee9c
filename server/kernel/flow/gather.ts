// Group commit: calls that arrive during a run share the next run. The next run begins while the one before waits for
// its answer.

export interface GatherOptions<In> {
  /** Inputs per run. */
  readonly max: number
  /** Maximum number of runs that have begun and not ended. */
  readonly lanes: number
  /** Maximum number of waiting inputs. One more is refused with the error that `full` returns. */
  readonly ceiling: number
  readonly full: () => Error
  /**
   * Whose input it is. Keys take turns, so that a key with many inputs does not make the others wait behind them.
   * Without it all inputs have one key.
   */
  readonly keyOf?: (input: In) => string
  /** The ceiling of the inputs of one key. */
  readonly ceilingOfKey?: number
  /** The weight of an input. A run takes no further input when all of them together would weigh more than `heaviest`. */
  readonly weigh?: (input: In) => number
  readonly heaviest?: number
  /** True when an error concerns all inputs, not one of them: the database is away. */
  readonly isWhole: (error: unknown) => boolean
}

/**
 * Returns one outcome per input.
 * @param onSent called at most once, when the run has nothing to do but wait for its answer
 */
type GatheredRun<In, Out> = (inputs: readonly In[], onSent: () => void) => Promise<readonly Settled<Out>[]>

interface Waiting<In, Out> {
  readonly input: In
  readonly resolve: (out: Out) => void
  readonly reject: (error: unknown) => void
}

/** So many inputs are worth a run of their own, however many were sent. */
const MANY = 8

export type Settled<Out> = { readonly value: Out } | { readonly error: unknown }

/**
 * A run gets the inputs of one key in the order of the calls. When a run of several inputs fails, each input is tried
 * alone, so that one bad input does not fail the others. The first error that concerns all ends that: no input is tried
 * after it, and all waiting inputs fail at once. So a database that goes away fails at most two runs
 * of a lane, not one for each call.
 */
export function gather<In, Out>(
  run: GatheredRun<In, Out>,
  options: GatherOptions<In>,
): (input: In) => Promise<Out> {
  const { max, lanes, ceiling, full, isWhole } = options
  const { keyOf = () => '', ceilingOfKey = ceiling, weigh = () => 0, heaviest = 0 } = options
  /** The waiting inputs of each key. The key whose turn is next comes first. */
  const lines = new Map<string, Waiting<In, Out>[]>()
  let waiting = 0
  let running = 0
  /** Inputs of the runs that were sent. */
  let sent = 0
  let isPreparing = false
  let isDue = false

  const takeGroup = (): Waiting<In, Out>[] => {
    const group: Waiting<In, Out>[] = []
    let weight = 0
    for (const [key, line] of lines) {
      const [first] = line
      if (first === undefined || group.length >= max) break
      weight += weigh(first.input)
      if (group.length > 0 && weight > heaviest) break
      group.push(first)
      line.shift()
      // The map is walked in the order of insertion, so the key comes again after all others.
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
    }
    waiting -= group.length
    return group
  }

  const failAll = (error: unknown): void => {
    const all = [...lines.values()].flat()
    lines.clear()
    waiting = 0
    for (const { reject } of all) reject(error)
  }

  /** Returns the error that concerns all, when a run failed with one. */
  const settle = async (
    group: readonly Waiting<In, Out>[],
    onSent: () => void,
  ): Promise<{ readonly error: unknown } | undefined> => {
    try {
      const outcomes = await run(
        group.map(({ input }) => input),
        onSent,
      )
      for (const [index, one] of group.entries()) {
        const outcome = outcomes[index] ?? {
          error: new Error('A gathered run answered fewer outcomes than inputs.'),
        }
        if ('error' in outcome) one.reject(outcome.error)
        else one.resolve(outcome.value)
      }
      return undefined
    } catch (error) {
      let whole = isWhole(error) ? { error } : undefined
      const untried = [...group]
      if (group.length > 1)
        while (whole === undefined && untried.length > 0)
          whole = await settle(untried.splice(0, 1), () => undefined)
      for (const { reject } of untried) reject(whole === undefined ? error : whole.error)
      if (whole !== undefined) failAll(whole.error)
      return whole
    }
  }

  /** Beside runs that were sent, another one begins when half as many wait, or `MANY`: each run has its own costs. */
  const isWorthIt = (): boolean =>
    running === 0 || (!isPreparing && running < lanes && waiting >= Math.min(MANY, sent / 2))

  const next = (): void => {
    isDue = false
    if (waiting === 0 || !isWorthIt()) return
    running += 1
    isPreparing = true
    const group = takeGroup()
    let wasSent = false
    const onSent = (): void => {
      if (wasSent) return
      wasSent = true
      isPreparing = false
      sent += group.length
      due()
    }
    void settle(group, onSent).finally(() => {
      onSent()
      sent -= group.length
      running -= 1
      due()
    })
  }

  /** Calls that the event loop finds in one pass share one run. */
  const due = (): void => {
    if (isDue || waiting === 0) return
    isDue = true
    setImmediate(next)
  }

  return (input) =>
    new Promise<Out>((resolve, reject) => {
      const key = keyOf(input)
      const line = lines.get(key) ?? []
      if (waiting >= ceiling || line.length >= ceilingOfKey) {
        reject(full())
        return
      }
      line.push({ input, resolve, reject })
      lines.set(key, line)
      waiting += 1
      due()
    })
}
