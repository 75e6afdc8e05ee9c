// Tells how far a long copy is: nothing within the first second, then a line every two.

const FIRST_MS = 1_000
const EVERY_MS = 2_000

/** @returns what takes the number of bytes done since its last call */
export function progress(
  tell: (line: string) => void,
  { doing, ofBytes }: { readonly doing: string; readonly ofBytes?: number },
): (bytes: number) => void {
  let done = 0
  let next = performance.now() + FIRST_MS
  return (bytes) => {
    done += bytes
    if (performance.now() < next) return
    next = performance.now() + EVERY_MS
    tell(`  ${doing}: ${inMb(done)}${ofBytes === undefined ? '' : ` of ${inMb(ofBytes)}`} ...`)
  }
}

export const inMb = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
