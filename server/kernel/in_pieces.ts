// Divides long work on the process's one thread into pieces. The event loop does other work between the pieces.

/**
 * Call it wherever long work repeats, and await the promise if it returns one. Returns undefined while the piece is
 * short. Make one per request.
 */
export type Breathe = () => Promise<void> | undefined

/** Milliseconds of one piece. Time between two calls may be waiting, so a rest is computed from at most `longest`. */
const PIECE = { shortest: 2, longest: 6 } as const

/**
 * After the first piece, work continues after one pass of the event loop. While other callers are here, each further
 * piece is followed by a rest of three times its length.
 */
const PASSING = 1
const REST = 3

export function inPieces(isCrowded: () => boolean): Breathe {
  let began = performance.now()
  let pieces = 0
  return () => {
    const took = performance.now() - began
    if (took < PIECE.shortest) return undefined
    pieces += 1
    return new Promise<void>((resolve) => {
      const goOn = (): void => {
        began = performance.now()
        resolve()
      }
      if (pieces <= PASSING || !isCrowded()) setImmediate(goOn)
      else setTimeout(goOn, REST * Math.min(took, PIECE.longest))
    })
  }
}

/** `convert` must be short, because it runs without a pause. */
export async function mapInPieces<From, To>(
  list: readonly From[],
  convert: (one: From) => To,
  breathe: Breathe,
): Promise<To[]> {
  const converted: To[] = []
  for (const one of list) {
    converted.push(convert(one))
    const breath = breathe()
    if (breath !== undefined) await breath
  }
  return converted
}
