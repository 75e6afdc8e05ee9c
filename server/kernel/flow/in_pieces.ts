// Divides long work on the process's one thread into pieces. The event loop does other work between the pieces.

/**
 * Call it wherever long work repeats, and await the promise if it returns one. Returns undefined while the piece is
 * short. Make one per request.
 */
export type YieldToEventLoop = () => Promise<void> | undefined

/** Milliseconds of one piece. Time between two calls may be waiting, so a rest is computed from at most `longest`. */
const PIECE = { shortest: 2, longest: 6 } as const

/**
 * While other callers are here, a piece of long work is followed by a rest of three times its length. It is one rest
 * for all long work together, so that however much of it there is, it takes a quarter of the thread.
 */
const REST = 3

/** Pieces after which work is long. Until then it goes on after one pass of the event loop. */
const PASSING = 1

interface Waiting {
  readonly resume: () => void
  /** Milliseconds of rest after a piece that took so many. */
  readonly restMs: (took: number) => number
}

/** Create one per thread. */
export function inPieces() {
  /** A key that was served moves to the end. */
  const lines = new Map<string, Waiting[]>()
  let isUnderWay = false
  /** Milliseconds of small work since its last rest. */
  let small = 0

  const next = (): void => {
    const [first] = lines
    isUnderWay = first !== undefined
    if (first === undefined) return
    const [key, line] = first
    const one = line.shift()
    lines.delete(key)
    if (line.length > 0) lines.set(key, line)
    const began = performance.now()
    one?.resume()
    // The piece is over when the event loop goes on.
    setImmediate(() => {
      const rest = one?.restMs(performance.now() - began) ?? 0
      if (rest === 0) next()
      else setTimeout(next, rest)
    })
  }

  const wait = (key: string, one: Waiting): void => {
    const line = lines.get(key)
    if (line === undefined) lines.set(key, [one])
    else line.push(one)
    if (isUnderWay) return
    isUnderWay = true
    setImmediate(next)
  }

  const restOfSmall = (took: number): number => {
    small += took
    if (small < PIECE.shortest) return 0
    const rest = Math.min(small, PIECE.longest)
    small = 0
    return rest
  }

  return Object.freeze({
    /**
     * Resolves when the next piece is of this key, for small work that is one piece by itself. All of it together rests as
     * long as it works.
     * @param parts of the work, each about as long as the piece, which is the first of them
     */
    take: (key: string, parts = 1) =>
      new Promise<void>((resume) => wait(key, { resume, restMs: (took) => restOfSmall(took * parts) })),
    /** @param key whose work it is. Keys take pieces alternately. */
    yieldingFor: (key: string, isCrowded: () => boolean): YieldToEventLoop => {
      let began = performance.now()
      let pieces = 0
      const restMs = (took: number): number => (isCrowded() ? REST * Math.min(took, PIECE.longest) : 0)
      return () => {
        if (performance.now() - began < PIECE.shortest) return undefined
        pieces += 1
        return new Promise<void>((resolve) => {
          const resume = (): void => {
            began = performance.now()
            resolve()
          }
          if (pieces <= PASSING) setImmediate(resume)
          else wait(key, { resume, restMs })
        })
      }
    },
  })
}

/** `convert` must be short, because it runs without a pause. */
export async function mapInPieces<From, To>(
  list: readonly From[],
  convert: (one: From) => To,
  yieldToEventLoop: YieldToEventLoop,
): Promise<To[]> {
  const converted: To[] = []
  for (const one of list) {
    converted.push(convert(one))
    const pause = yieldToEventLoop()
    if (pause !== undefined) await pause
  }
  return converted
}
