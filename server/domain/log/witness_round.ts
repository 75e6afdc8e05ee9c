// One round of witnessing: the newest checkpoint is offered to all witnesses at once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { consistencyProof } from '../../../shared/log/consistency_proof.ts'
import { type AskParts, askWitness } from './ask_witness.ts'
import { noteOf, noteTextOf, type StoredCheckpoint } from './checkpoint_rows.ts'
import { gatherResults, ROUND_TIMES, type RoundTimes } from './gather_results.ts'
import type { Offer } from './offer_checkpoint.ts'
import { type Cosigned, cosignedSizes, isEnough } from './shown_checkpoint.ts'
import { storedTiles } from './tile_rows.ts'
import { endTurn, takeTurn } from './witness_lease.ts'
import { keepCosignatures, recordResults, witnessRows } from './witness_rows.ts'
import type { AskedWitness, Witnessing } from './witnessing.ts'

export interface RoundParts extends AskParts {
  readonly em: () => EntityManager
  readonly witnessing: Witnessing
  readonly times?: RoundTimes
}

/** `idle`: there is nothing to offer. `busy`: another server does, or the same size was offered a moment ago. */
export type RoundOutcome = 'idle' | 'busy' | 'met' | 'not_met'

/**
 * May be called at any time, by any number of servers. Without a quorum in the policy all witnesses are waited for.
 * @param newest of the key in use
 * @param holder one name per server
 * @param signal ends the round at once
 */
export async function witnessRound(
  parts: RoundParts,
  newest: StoredCheckpoint,
  { holder, signal }: { readonly holder: string; readonly signal: AbortSignal },
): Promise<RoundOutcome> {
  const { em, witnessing, times = ROUND_TIMES } = parts
  const place = { log: newest.key.number, size: newest.size, holder }
  const before = await cosignedAt(parts, place)
  const wanted = witnessing.asked.filter(
    ({ witnesses }) => !witnesses.every(({ label }) => before.cosignatures.has(label)),
  )
  if (wanted.length === 0 || meetsNeed(witnessing, before)) return 'idle'
  if (!(await takeTurn({ em: em() }, place))) return 'busy'
  let isMet = false
  try {
    await offerToAll(parts, newest, { wanted, before, signal })
    const after = await cosignedAt(parts, place)
    isMet = meetsNeed(witnessing, after)
    await forgetOthers(parts, place)
    return isMet ? 'met' : 'not_met'
  } finally {
    await endTurn({ em: em() }, place, isMet ? 0 : times.pause)
  }
}

async function offerToAll(
  parts: RoundParts,
  newest: StoredCheckpoint,
  {
    wanted,
    before,
    signal,
  }: { readonly wanted: readonly AskedWitness[]; readonly before: Cosigned; readonly signal: AbortSignal },
): Promise<void> {
  const { em, witnessing, times = ROUND_TIMES } = parts
  const where = { log: newest.key.number, size: newest.size }
  const labels = witnessing.witnesses.map(({ label }) => label)
  const seen = new Map(
    (await witnessRows({ em: em() }, where.log, labels)).map((row) => [row.key, row.seen_size]),
  )
  const offer: Offer = {
    logKey: newest.key.verifier,
    size: newest.size,
    text: noteOf(newest).text,
    note: noteTextOf(newest),
    proofFrom: (size) => consistencyProof(storedTiles(em()), size, newest.size),
  }
  await gatherResults({
    asks: wanted.map((asked) => ({
      labels: asked.witnesses.map(({ label }) => label),
      ask: (over) => {
        const seenSize = Math.max(...asked.witnesses.map(({ label }) => seen.get(label) ?? 0))
        return askWitness(parts, offer, asked, { seenSize, signal: over })
      },
    })),
    isEnough: (results) => {
      const cosignatures = new Map(before.cosignatures)
      for (const { label, cosignature } of results)
        if (cosignature !== undefined) cosignatures.set(label, cosignature)
      return meetsNeed(witnessing, { size: where.size, cosignatures })
    },
    // With the first report the checkpoint may be shown.
    report: (results) => recordResults({ em: em() }, where, results),
    times,
    signal,
  })
}

/** False when the policy needs no cosignature, because then nothing is enough. */
const meetsNeed = (witnessing: Witnessing, cosigned: Cosigned): boolean =>
  witnessing.policy.quorum !== undefined && isEnough(witnessing, cosigned)

async function cosignedAt(
  { em }: Pick<RoundParts, 'em'>,
  { log, size }: { readonly log: number; readonly size: number },
): Promise<Cosigned> {
  const found = (await cosignedSizes({ em: em() }, log)).find((one) => one.size === size)
  return found ?? { size, cosignatures: new Map() }
}

/** Keeps the cosignatures of the checkpoint that is shown and of the newest one. */
async function forgetOthers(
  { em, witnessing }: Pick<RoundParts, 'em' | 'witnessing'>,
  { log, size }: { readonly log: number; readonly size: number },
): Promise<void> {
  const shown = (await cosignedSizes({ em: em() }, log)).find((one) => meetsNeed(witnessing, one))
  await keepCosignatures({ em: em() }, log, shown === undefined ? [size] : [shown.size, size])
}
