// What a request costs this process, the test's own share included: compared with a plain request of the same bytes.

/**
 * Milliseconds of CPU of the cheapest of some tries: what else goes on in the process, and on the machine, is not what is
 * measured. Tries that are cheap enough already are not repeated.
 */
export async function cpuTime(work: () => Promise<unknown>, { tries = 8, enough = 0 } = {}): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let done = 0; done < tries && !(least < enough); done += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}

/** So much dearer than a plain request of the same bytes may any other be. */
export const mayTake = (plain: number): number => 10 * plain + 50
