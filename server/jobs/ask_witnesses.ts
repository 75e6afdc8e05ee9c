// Offers the newest checkpoint to the witnesses, soon after each block. Every server runs this; a lease lets one at a
// time do the work. No block waits for it.
import { randomUUID } from 'node:crypto'
import { isSameKey, keyLabel } from '../../shared/log/verifier_key.ts'
import { lookForEvidence } from '../domain/log/ask_witness.ts'
import type { StoredCheckpoint } from '../domain/log/log_rows.ts'
import { type RoundParts, witnessRound } from '../domain/log/witness_round.ts'
import { witnessStandings } from '../domain/log/witnesses.ts'
import { repeat } from '../kernel/flow/repeat.ts'
import type { Log } from '../kernel/log.ts'

interface AskingParts extends Omit<RoundParts, 'onAway'> {
  /** The newest checkpoint that this server may show. */
  readonly newest: () => StoredCheckpoint | undefined
  /** False while the ledger is behind what was signed. Then nothing is offered. */
  readonly mayOffer: () => boolean
  readonly log: Log
}

/** Milliseconds. A look with nothing to offer makes one short query. */
const BEAT = { every: 2_000, first: 0, evidence: 5_000 } as const

export function startAsking(asking: AskingParts) {
  const { em, witnessing, newest, mayOffer, log } = asking
  const away = new Map<string, string>()
  const parts: RoundParts = {
    ...asking,
    onAway: (prefix, reason) => {
      if (away.get(prefix) !== reason) log.warn({ prefix, reason }, 'witness.away')
      away.set(prefix, reason)
    },
  }
  const holder = randomUUID()
  let hasLooked = false
  let hasWarned = false
  const rounds = repeat({
    everyMs: BEAT.every,
    firstMs: BEAT.first,
    onError: (err) => log.warn({ err }, 'witnesses.failed'),
    run: async (signal) => {
      if (!hasLooked) {
        // A ledger that was restored from a backup learns here what was signed after it.
        const limit = AbortSignal.any([signal, AbortSignal.timeout(BEAT.evidence)])
        await lookForEvidence(parts, witnessing.logKey, witnessing.asked, limit)
        hasLooked = true
      }
      const checkpoint = newest()
      if (checkpoint === undefined || !mayOffer()) return
      if (!isSameKey(checkpoint.key.verifier, witnessing.logKey)) {
        // A fork was accepted since the start, and the policy is about the key before it.
        if (!hasWarned)
          log.error({ log: keyLabel(checkpoint.key.verifier) }, 'witnesses.policy_of_another_log')
        hasWarned = true
        return
      }
      const outcome = await witnessRound(parts, checkpoint, { holder, signal })
      if (outcome !== 'met' && outcome !== 'not_met') return
      const standings = await witnessStandings(em(), witnessing, checkpoint.key.number)
      const missing = standings.filter(({ trouble }) => trouble !== null)
      if (missing.length === 0) away.clear()
      if (outcome === 'met' || witnessing.policy.quorum === undefined)
        log.info({ size: checkpoint.size, missing }, 'checkpoint.witnessed')
      else log.warn({ size: checkpoint.size, missing }, 'checkpoint.not_witnessed')
    },
  })
  /** `poke` signals that there is a new checkpoint. */
  return Object.freeze({ poke: () => rounds.poke(), close: rounds.stop })
}
