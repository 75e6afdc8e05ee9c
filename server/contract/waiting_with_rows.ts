// Requests that wait for an expensive read while they hold rows that they have read: few in all, because each may hold as
// many bytes as an answer may have. One more costs the caller one who has most of them.
import { Endable, type Lasting, whenOver } from '../kernel/flow/lasting.ts'

/**
 * @param most requests that may wait
 * @param usedBy what a key has cost. Of those with equally many, the one that cost most loses one.
 */
export function waitingWithRows(most: number, usedBy: (key: string) => number) {
  const byKey = new Map<string, Set<Endable>>()
  let count = 0
  const leave = (key: string, one: Endable): void => {
    const own = byKey.get(key)
    if (own?.delete(one) !== true) return
    count -= 1
    if (own.size === 0) byKey.delete(key)
  }
  const endOneOfMost = (): void => {
    let largest: ReadonlySet<Endable> = new Set()
    let cost = 0
    for (const [key, own] of byKey) {
      const used = usedBy(key)
      if (own.size < largest.size || (own.size === largest.size && used <= cost)) continue
      largest = own
      cost = used
    }
    const newest = [...largest].at(-1)
    newest?.end()
  }
  return Object.freeze({
    /** The work is over as well when it has to make room. `leave` once it does not wait any more. */
    enter: (
      key: string,
      work: Lasting | undefined,
    ): { readonly work: Lasting; readonly leave: () => void } => {
      const one = new Endable()
      const forget = work === undefined ? undefined : whenOver(work, one.end)
      const own = byKey.get(key) ?? new Set()
      byKey.set(key, own.add(one))
      count += 1
      const leaveOnce = (): void => {
        forget?.()
        leave(key, one)
      }
      whenOver(one, leaveOnce)
      if (count > most) endOneOfMost()
      return { work: one, leave: leaveOnce }
    },
  })
}
