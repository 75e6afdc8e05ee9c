// Tells when all attempts of a visit only wait for the receiver, so that others may work meanwhile.
import { deadlines } from '../../../outgoing/deadlines.ts'

/** Milliseconds. An attempt that takes longer computes nothing any more. */
const QUIET_MS = 100

const quiet = deadlines(QUIET_MS)

/**
 * Returns a function that carries out one attempt of the visit. Attempts may run side by side.
 * @param onRest told at every change. A visit begins without a rest, and ends without one
 */
export function restWhileQuiet(
  onRest: (rests: boolean) => void,
): <Made>(attempt: () => Promise<Made>) => Promise<Made> {
  let underWay = 0
  let waiting = 0
  let rests = false
  const tell = (): void => {
    const now = underWay > 0 && waiting === underWay
    if (now !== rests) onRest(now)
    rests = now
  }
  return async (attempt) => {
    let isQuiet = false
    underWay += 1
    tell()
    const inTime = quiet.begin(() => {
      isQuiet = true
      waiting += 1
      tell()
    })
    try {
      return await attempt()
    } finally {
      inTime()
      underWay -= 1
      if (isQuiet) waiting -= 1
      tell()
    }
  }
}
