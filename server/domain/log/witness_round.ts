// One round of witnessing: one server at a time offers the newest checkpoint to all witnesses at once, and waits
// until enough have answered or the time is over.
import { setTimeout as pause } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { consistencyProof } from '../../../shared/log/tree_proofs.ts'
import { change, command } from '../../store/statement.ts'
import { type AskParts, askWitness, type Offer } from './ask_witness.ts'
import { noteOf, noteTextOf, type StoredCheckpoint, storedTiles } from './log_rows.ts'
import {
  type AskedWitness,
  type Cosigned,
  cosignedSizes,
  isEnough,
  keepCosignatures,
  recordResults,
  type Witnessing,
  type WitnessResult,
  witnessRows,
} from './witnesses.ts'

/** Milliseconds. Longer than a round. After a crash of the holder, another server takes over. */
const LEASE_MS = 30_000

interface WitnessTurn {
  readonly log: number
  readonly size: number
  readonly holder: string
}

const LEASE = sql.lit(LEASE_MS / 1_000)

/**
 * Changes a row when this server may offer this size now. A larger size than the last needs no pause. A time that is
 * impossibly late was written before the clock was set back.
 */
const TAKE = command(
  ({ log, size, holder }: WitnessTurn) => sql`
  INSERT INTO witness_rounds AS r (log, holder, size, until)
  VALUES (${log}::int, ${holder}::text, ${size}::int, pharos_now() + ${LEASE} * interval '1 second')
  ON CONFLICT (log) DO UPDATE SET holder = EXCLUDED.holder, size = EXCLUDED.size, until = EXCLUDED.until
   WHERE r.until <= pharos_now() OR r.until > pharos_now() + 2 * ${LEASE} * interval '1 second'
      OR (r.holder IS NULL AND r.size < EXCLUDED.size)`,
)

/** `pauseMs`: until the same size may be offered again. */
const END = command(
  ({ log, holder, pauseMs }: WitnessTurn & { readonly pauseMs: number }) => sql`
  UPDATE witness_rounds SET holder = NULL, until = pharos_now() + ${pauseMs}::float8 * interval '1 millisecond'
   WHERE log = ${log} AND holder = ${holder}`,
)

/** Milliseconds. */
interface RoundTimes {
  /** No round is longer. */
  readonly whole: number
  /** So long the others may still answer when there are enough. */
  readonly afterQuorum: number
  /** Until a size without a quorum is offered again. */
  readonly pause: number
}

const ROUND_TIMES: RoundTimes = { whole: 10_000, afterQuorum: 1_000, pause: 10_000 }

export interface RoundParts extends AskParts {
  readonly em: () => EntityManager
  readonly witnessing: Witnessing
  readonly times?: RoundTimes
}

/** `idle`: there is nothing to offer. `busy`: another server does, or the same size was offered a moment ago. */
type RoundOutcome = 'idle' | 'busy' | 'met' | 'not_met'

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
  if ((await change(em(), TAKE(place))) === 0) return 'busy'
  let isMet = false
  try {
    await offerToAll(parts, newest, { wanted, before, signal })
    const after = await cosignedAt(parts, place)
    isMet = meetsNeed(witnessing, after)
    await forgetOthers(parts, place)
    return isMet ? 'met' : 'not_met'
  } finally {
    await change(em(), END({ ...place, pauseMs: isMet ? 0 : times.pause }))
  }
}

/**
 * Asks all at once. Results are recorded when there are enough, and at the end, each once. Those that have not answered in
 * the end are too slow. An answer after that is not looked at.
 * @param signal ends the round at once, and then nobody is too slow
 */
async function offerToAll(
  parts: RoundParts,
  newest: StoredCheckpoint,
  { wanted, before, signal }: { wanted: readonly AskedWitness[]; before: Cosigned; signal: AbortSignal },
): Promise<void> {
  const { em, witnessing, times = ROUND_TIMES } = parts
  const where = { log: newest.key.number, size: newest.size }
  const labels = witnessing.witnesses.map(({ label }) => label)
  const seen = new Map((await witnessRows(em(), where.log, labels)).map((row) => [row.key, row.seen_size]))
  const offer: Offer = {
    logKey: newest.key.verifier,
    size: newest.size,
    text: noteOf(newest).text,
    note: noteTextOf(newest),
    proofFrom: (size) => consistencyProof(storedTiles(em()), size, newest.size),
  }
  const ending = new AbortController()
  const over = AbortSignal.any([signal, ending.signal])
  const after = (ms: number): Promise<unknown> =>
    pause(ms, undefined, { signal: over }).catch(() => undefined)
  const enough = Promise.withResolvers<void>()
  const answered = new Set<string>()
  const cosignatures = new Map(before.cosignatures)
  const news: WitnessResult[] = []
  const note = (result: WitnessResult): void => {
    const { label, cosignature } = result
    if (ending.signal.aborted || answered.has(label)) return
    answered.add(label)
    news.push(result)
    if (cosignature !== undefined) cosignatures.set(label, cosignature)
    if (meetsNeed(witnessing, { size: where.size, cosignatures })) enough.resolve()
  }
  const ask = async (asked: AskedWitness): Promise<void> => {
    const seenSize = Math.max(...asked.witnesses.map(({ label }) => seen.get(label) ?? 0))
    for (const result of await askWitness(parts, offer, asked, { seenSize, signal: ending.signal }))
      note(result)
  }
  // With the first record the checkpoint may be shown.
  const record = (): Promise<void> => recordResults(em(), where, news.splice(0))
  const whole = after(times.whole)
  try {
    const all = Promise.all(wanted.map(ask))
    await Promise.race([all, enough.promise, whole])
    await record()
    if (signal.aborted) return
    await Promise.race([all, after(times.afterQuorum), whole])
    if (signal.aborted) return
    for (const { label } of wanted.flatMap(({ witnesses }) => witnesses))
      note({ label, cosignature: undefined, trouble: 'too_slow', seenSize: undefined })
    await record()
  } finally {
    ending.abort()
  }
}

/** False when the policy needs no cosignature, because then nothing is enough. */
const meetsNeed = (witnessing: Witnessing, cosigned: Cosigned): boolean =>
  witnessing.policy.quorum !== undefined && isEnough(witnessing, cosigned)

async function cosignedAt({ em }: RoundParts, { log, size }: WitnessTurn): Promise<Cosigned> {
  const found = (await cosignedSizes(em(), log)).find((one) => one.size === size)
  return found ?? { size, cosignatures: new Map() }
}

/** Keeps the cosignatures of the checkpoint that is shown and of the newest one. */
async function forgetOthers({ em, witnessing }: RoundParts, { log, size }: WitnessTurn): Promise<void> {
  const shown = (await cosignedSizes(em(), log)).find((one) => meetsNeed(witnessing, one))
  await keepCosignatures(em(), log, shown === undefined ? [size] : [shown.size, size])
}
