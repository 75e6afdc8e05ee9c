// Group commit: calls that arrive while one is under way share the next one.

export interface GatherOptions {
  /** Inputs per run. */
  readonly max: number
  /** Runs under way at once. */
  readonly lanes: number
  /** Inputs that may wait; one more is refused with what `full` makes. */
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
 * `run` gets inputs in the order of the calls and answers one outcome per input. When a run of several fails as a
 * whole, each of its inputs is tried alone, so that one that cannot be served does not fail its neighbours; `whole`
 * says of an error that trying again is of no use (the database is away). Then those who wait are told at once as
 * well: nobody waits longer than one run takes to fail.
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
      // Calls made before the event loop goes on are taken together.
      queueMicrotask(next)
    })
}
