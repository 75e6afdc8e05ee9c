// Works a few at a time, for work that waits for the disk or the network more than it computes: on a list, or on what comes
// one by one.
import type { AtOnce } from './at_once.ts'
import type { YieldToEventLoop } from './in_pieces.ts'

/**
 * Results stand in the order of the list. Once a piece of work fails no other begins.
 * @throws what the first failure threw, when all that had begun has ended
 */
export async function sideBySide<Item, Result>(
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const inLane = lanes(most)
  const failing = new AbortController()
  const begin = async (item: Item): Promise<Result> => {
    failing.signal.throwIfAborted()
    return work(item)
  }
  const fail = (error: unknown): never => {
    failing.abort(error)
    throw error
  }
  const ended = await Promise.allSettled(items.map((item) => inLane(() => begin(item).catch(fail))))
  failing.signal.throwIfAborted()
  return ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/** For work that others wait for. */
interface Crowd {
  /** While this is true, one piece of work runs at a time. */
  readonly isCrowded?: () => boolean
  /** Called before each. */
  readonly yieldToEventLoop?: YieldToEventLoop
}

/** Runs what comes one by one, at most so many at once, in the order in which it came. */
export function lanes(most: number, { isCrowded, yieldToEventLoop }: Crowd = {}) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => AtOnce<Result>): Promise<Result> => {
    if (running >= (isCrowded?.() === true ? 1 : most))
      await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      const rest = yieldToEventLoop?.()
      if (rest !== undefined) await rest
      return await work()
    } finally {
      // Passes the lane directly to the next one that waits, so that no later one can take it first.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
