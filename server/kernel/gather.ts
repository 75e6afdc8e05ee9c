// Group commit: calls that arrive during a run share the next run.

export interface GatherOptions {
  /** Inputs per run. */
  readonly max: number
  /** Maximum number of concurrent runs. */
  readonly lanes: number
  /** Maximum number of waiting inputs. One more is refused with the error that `full` returns. */
  readonly ceiling: number
  readonly full: () => Error
}

interface Waiting<In, Out> {
  readonly input: In
  readonly resolve: (out: Out) => void
  readonly reject: (error: unknown) => void
}

export type Settled<Out> = { readonly value: Out } | { readonly error: unknown }

/**
 * `run` receives inputs in the order of the calls and returns one outcome per input. When a run of several inputs
 * fails, each input is tried alone, so that one bad input does not fail the others. When `whole` returns true for the
 * error (the database is away), no input is tried again and all waiting inputs fail at once. So no call waits longer
 * than one run takes to fail.
 */
export function gather<In, Out>(
  run: (inputs: readonly In[]) => Promise<readonly Settled<Out>[]>,
  { max, lanes, ceiling, full }: GatherOptions,
  whole: (error: unknown) => boolean,
): (input: In) => Promise<Out> {
  const queue: Waiting<In, Out>[] = []
  let running = 0

  const settle = async (group: readonly Waiting<In, Out>[]): Promise<void> => {
    try {
      const outcomes = await run(group.map(({ input }) => input))
      for (const [index, waiting] of group.entries()) {
        const outcome = outcomes[index] ?? {
          error: new Error('A gathered run answered fewer outcomes than inputs.'),
        }
        if ('error' in outcome) waiting.reject(outcome.error)
        else waiting.resolve(outcome.value)
      }
    } catch (error) {
      const isOver = whole(error)
      if (group.length > 1 && !isOver) for (const waiting of group) await settle([waiting])
      else for (const { reject } of group) reject(error)
      if (isOver) for (const { reject } of queue.splice(0)) reject(error)
    }
  }

  const next = (): void => {
    if (running >= lanes || queue.length === 0) return
    running += 1
    void settle(queue.splice(0, max)).finally(() => {
      running -= 1
      next()
    })
  }

  return (input) =>
    new Promise<Out>((resolve, reject) => {
      if (queue.length >= ceiling) {
        reject(full())
        return
      }
      queue.push({ input, resolve, reject })
      // Calls made before the event loop continues share one run.
      queueMicrotask(next)
    })
}
