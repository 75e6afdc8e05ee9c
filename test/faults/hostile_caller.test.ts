// A hostile caller with one key sends whatever the schemas allow. Its effect on other callers is bounded.
// `npm run soak` does the same for ten minutes on a quiet machine with strict time limits. Here other tests
// run at the same time.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Started } from '../bench/started.ts'
import { percentile } from '../soak/callers.ts'
import { BLOCK_INTERVAL_MS, longestGap, openSiegeGround, type SiegeGround } from '../soak/ground.ts'
import { besiege } from '../soak/siege.ts'
import { sizeOf } from '../support/sizes.ts'

const SECONDS = sizeOf('hostile_seconds')

/** The part of the answers that is compared. What a machine delays that stands still for a moment lies beyond it. */
const MOST_ANSWERS = 0.75

/** Milliseconds by which two runs may differ on a busy machine. */
const NOISE_MS = 2_000

/** Blocks are due each interval. The others are for the same moments. */
const LONGEST_GAP_MS = 4 * BLOCK_INTERVAL_MS

/** MiB of the whole process, with a heap of 512 MiB. `deploy/README.md` states this number. */
const MOST_MIB = 800

const started = new Started(console.error)
let siege: SiegeGround
beforeAll(async () => {
  siege = await openSiegeGround(started)
}, 240_000)
afterAll(() => started.end())

it('others are served, blocks are made on time, and the process lives on in its memory', {
  timeout: 240_000,
}, async () => {
  const [head] = await siege.ground.bare<{ height: number }>('SELECT max(height)::int AS height FROM blocks')
  const { calm, besieged, told, peakMiB } = await besiege({
    base: siege.server.base,
    pid: siege.server.pid,
    callers: siege.callers,
    hostileKey: siege.hostileKey,
    seconds: SECONDS,
    say: () => undefined,
  })
  expect(besieged.failed).toEqual([])
  for (const what of ['latest', 'create'] as const)
    expect(percentile(besieged[what], MOST_ANSWERS), what).toBeLessThan(
      3 * percentile(calm[what], MOST_ANSWERS) + NOISE_MS,
    )
  expect(await longestGap(siege.ground, (head?.height ?? 0) + 2)).toBeLessThanOrEqual(LONGEST_GAP_MS)
  expect(peakMiB).toBeLessThan(MOST_MIB)
  // Every kind of request was sent, most were refused, and none caused an internal error.
  expect(Object.keys(told)).toEqual(expect.arrayContaining(['200', '400']))
  // On a busy machine the caller waits so often for its turn that it does not use up its budget.
  expect((told['429'] ?? 0) + (told['503'] ?? 0)).toBeGreaterThan(0)
  expect(
    Object.keys(told).filter((status) => !/^(200|201|400|404|406|413|429|431|503)$/.test(status)),
  ).toEqual([])
})
