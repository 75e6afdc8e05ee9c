// What a request costs this process, the test's own share included: compared with a plain request of the same bytes.
import { expect } from 'vitest'
import type { Answer } from '../support/http.ts'
import { slowness } from '../support/slowness.ts'

/**
 * Milliseconds of CPU of the cheapest of some tries: what else goes on in the process, and on the machine, is not what is
 * measured. Tries that are cheap enough already are not repeated; others are compared with the speed of the machine.
 */
async function cpuTime(work: () => Promise<unknown>, { tries = 20, enough = 0 } = {}): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let done = 0; done < tries && !(least < enough); done += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    const took = (user + system) / 1_000
    least = Math.min(least, took < enough || enough === 0 ? took : took / slowness())
  }
  return least
}

/** Bodies that differ by less are measured once. */
const PIECE_BYTES = 4_096

/** Milliseconds that a request of so many bytes may take: so much dearer than a plain one of the same bytes may any be. */
function allowance(plain: (bytes: number) => Promise<unknown>): (bytes: number) => Promise<number> {
  const known = new Map<number, Promise<number>>()
  return (bytes) => {
    const size = Math.floor(bytes / PIECE_BYTES) * PIECE_BYTES
    const before = known.get(size)
    if (before !== undefined) return before
    const measured = cpuTime(() => plain(size), { tries: 3 }).then((took) => 10 * took + 50)
    known.set(size, measured)
    return measured
  }
}

/**
 * Sends bodies, each of which may cost ten times a plain request of the same bytes and 50 ms, and tells the answer.
 * @param plain sends a plain request of so many bytes
 */
export function sendsWithinCost(
  plain: (bytes: number) => Promise<unknown>,
): (body: string, send: (body: string) => Promise<Answer>) => Promise<Answer> {
  const allowedFor = allowance(plain)
  return async (body, send) => {
    const allowed = await allowedFor(Buffer.byteLength(body))
    let answer: Answer | undefined
    const took = await cpuTime(
      async () => {
        answer = await send(body)
      },
      { enough: allowed },
    )
    expect(took).toBeLessThan(allowed)
    if (answer === undefined) throw new Error('Nothing was answered.')
    return answer
  }
}
