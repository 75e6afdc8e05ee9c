// Long work on the process's one thread, done in pieces: between them everybody else gets their turn.

/** Milliseconds of one piece. */
const PIECE_MS = 4

export interface Pieces {
  /** Settles at once while the piece is short, else when everything that waited for the thread had its turn. */
  readonly breathe: () => Promise<void> | undefined
}

/** Call it where the work begins. */
export function inPieces(): Pieces {
  let began = performance.now()
  return Object.freeze({
    breathe: () => {
      if (performance.now() - began < PIECE_MS) return undefined
      return new Promise<void>((resolve) =>
        setImmediate(() => {
          began = performance.now()
          resolve()
        }),
      )
    },
  })
}

/** Maps a list in pieces; `convert` is to be short. */
export async function mapInPieces<From, To>(
  list: readonly From[],
  convert: (one: From) => To,
): Promise<To[]> {
  const { breathe } = inPieces()
  const converted: To[] = []
  for (const one of list) {
    converted.push(convert(one))
    const turn = breathe()
    if (turn !== undefined) await turn
  }
  return converted
}
