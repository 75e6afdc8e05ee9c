// Lines that anybody can cause without a credential: a few a second, and then how many were left out.
import type { Log } from './log.ts'

const PER_SECOND = 10

/** Lines beyond that are for debugging only. The next line that is told has their number in `left_out`. */
export function fewLines(
  log: Pick<Log, 'info' | 'debug'>,
  nowMs: () => number = () => performance.now(),
): (members: object, message: string) => void {
  let second = 0
  let told = 0
  let leftOut = 0
  return (members, message) => {
    const now = Math.floor(nowMs() / 1_000)
    if (now !== second) {
      second = now
      told = 0
    }
    if (told === PER_SECOND) {
      leftOut += 1
      log.debug(members, message)
      return
    }
    told += 1
    log.info(leftOut === 0 ? members : { ...members, left_out: leftOut }, message)
    leftOut = 0
  }
}
