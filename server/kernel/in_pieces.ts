// Long work on the process's one thread, done in pieces: between them everybody else gets their turn.

/** Settles when others had their turn; undefined while the piece is short. One per request, called where work repeats. */
export type Breathe = () => Promise<void> | undefined

/** Milliseconds of one piece. What lies between two calls may have been waiting, so a rest counts no more than that. */
const PIECE = { shortest: 3, longest: 8 } as const

/** So many times the others only pass by; whoever still is not done leaves them twice the time of each piece. */
const PASSING = 4
const REST = 2

export function inPieces(): Breathe {
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
      if (pieces <= PASSING) setImmediate(goOn)
      else setTimeout(goOn, REST * Math.min(took, PIECE.longest))
    })
  }
}

/** `convert` is to be short. */
export async function mapInPieces<From, To>(
  list: readonly From[],
  convert: (one: From) => To,
  breathe: Breathe,
): Promise<To[]> {
  const converted: To[] = []
  for (const one of list) {
    converted.push(convert(one))
    const turn = breathe()
    if (turn !== undefined) await turn
  }
  return converted
}
