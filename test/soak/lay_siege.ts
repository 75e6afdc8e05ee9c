// The siege with its verdicts: a hostile caller with one key for some minutes, and its effect on other
// callers.
import { Started } from '../bench/started.ts'
import { percentile } from './callers.ts'
import { BLOCK_INTERVAL_MS, HEAP_MIB, longestGap, openSiegeGround } from './ground.ts'
import { besiege } from './siege.ts'

/** MiB. A server with that heap must stay below this. `deploy/README.md` states this number. */
const MOST_MIB = 800

/** Measures up to a minute without the hostile caller first. @returns whether every bound holds */
export async function laySiege(minutes: number, say: (line: string) => void): Promise<boolean> {
  say('preparing a ledger, callers and one who is hostile')
  const started = new Started(say)
  try {
    const siege = await openSiegeGround(started)
    const [head] = await siege.ground.bare<{ height: number }>(
      'SELECT max(height)::int AS height FROM blocks',
    )
    const found = await besiege({
      base: siege.server.base,
      pid: siege.server.pid,
      callers: siege.callers,
      hostileKey: siege.hostileKey,
      seconds: minutes * 60,
      say,
    })
    const gap = await longestGap(siege.ground, (head?.height ?? 0) + 2)
    for (const [name, times] of [
      ['calm', found.calm],
      ['besieged', found.besieged],
    ] as const)
      for (const what of ['latest', 'create'] as const)
        say(
          `${name} ${what}: p50 ${percentile(times[what], 0.5).toFixed(1)} ms, p99 ${percentile(times[what], 0.99).toFixed(1)} ms, worst ${times[what].at(-1)?.toFixed(1)} ms of ${times[what].length}`,
        )
    say(`told to the hostile caller: ${JSON.stringify(found.told)}`)
    for (const [name, statuses] of Object.entries(found.seen)) say(`  ${name}: ${statuses.join(' ')}`)
    const verdicts: readonly (readonly [string, boolean])[] = [
      [`p99 of latest × ${found.ratio.latest.toFixed(2)} (below 3)`, found.ratio.latest < 3],
      [`p99 of create × ${found.ratio.create.toFixed(2)} (below 3)`, found.ratio.create < 3],
      [
        `longest time between blocks ${gap} ms (at most ${2 * BLOCK_INTERVAL_MS})`,
        gap <= 2 * BLOCK_INTERVAL_MS,
      ],
      [`callers who were failed: ${found.besieged.failed.length}`, found.besieged.failed.length === 0],
      [
        `peak memory ${found.peakMiB.toFixed(0)} MiB at a heap of ${HEAP_MIB} MiB (below ${MOST_MIB})`,
        found.peakMiB < MOST_MIB,
      ],
      ['no answer was a fault of ours', Object.keys(found.told).every((status) => status !== '500')],
    ]
    for (const [text, holds] of verdicts) say(`${holds ? 'holds' : 'FAILS'}: ${text}`)
    return verdicts.every(([, holds]) => holds)
  } finally {
    await started.end()
  }
}
