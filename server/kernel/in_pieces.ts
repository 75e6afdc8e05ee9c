// Long work on the process's one thread, done in pieces: between them everybody else gets their turn.

/** Settles when others had their turn; undefined while the piece is short. One per request, called where work repeats. */
export type Breathe = () => Promise<void> | undefined

/** Milliseconds of one piece. What lies between two calls may have been waiting, so a rest counts no more than that. */
const PIECE = { shortest: 2, longest: 6 } as const

/** The first piece lets others pass by. Each further one leaves them three times as long as it took, if they are here. */
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

/** `convert` is to be short. */
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
