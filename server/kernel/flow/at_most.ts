// What may happen so often in a second, and no more.

/** True so many times in a second. */
export function atMost(perSecond: number, nowMs: () => number = () => performance.now()): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const now = Math.floor(nowMs() / 1_000)
    count = now === second ? count + 1 : 1
    second = now
    return count <= perSecond
  }
}
