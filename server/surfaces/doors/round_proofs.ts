// The proofs of rounds: made when they are first asked for, and again when another chain has confirmed their block, or a
// reorganisation has taken a confirmation back.
import type { EntityManager } from '@mikro-orm/postgresql'
import { fromHex } from '../../../shared/proof/bytes.ts'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { blockStandings, confirmedChains } from '../../domain/commitments/commitment_entries.ts'
import { FLEET } from '../../domain/limits/budgets.ts'
import { requireBudget } from '../../domain/limits/charge.ts'
import { findSubject } from '../../domain/proofs/find_subject.ts'
import { type Generating, verifiedBundle } from '../../domain/proofs/generate_proof.ts'
import { reading } from '../../domain/proofs/proof_request.ts'
import { ROUND_ACCOUNT, roundByRoot } from '../../domain/rounds/round.ts'
import { underWay } from '../../kernel/flow/shared_work.ts'
import { lanes } from '../../kernel/flow/side_by_side.ts'
import { type JsonText, objectText } from '../../kernel/json_text.ts'
import { lru } from '../../kernel/lru.ts'
import { Refusal, type RefusalCode, refuse, retryAfterSeconds } from '../../kernel/refusal.ts'

interface RoundProofsParts extends Omit<Generating, 'em'> {
  readonly em: () => EntityManager
  /** Those of `em`. Three quarters of them are left to everybody else, because one proof makes many statements. */
  readonly connections: number
  /** Those that blocks are committed to here. */
  readonly chains: readonly ChainName[]
  /**
   * Of the block of this height in the public log; no text while no checkpoint that is shown holds it. Undefined where the
   * log is not public, because it shows what `/log` shows to callers alone.
   */
  readonly logProof: ((height: number) => Promise<string | undefined>) | undefined
  /** For tests: a monotonic clock in milliseconds. */
  readonly now?: () => number
}

interface RoundProof {
  readonly bundle: JsonText
  readonly logProof: string | undefined
  /** `{"bundle": {…}, "log_proof": "…"}` as JSON, without the log's proof while there is none. */
  readonly text: string
  /** True when neither a chain nor the log's proof is still to come. */
  readonly isWhole: boolean
}

interface Held extends RoundProof {
  /** What the bundle was made from. */
  readonly evidence: string
  /** When that was compared with the database. */
  readonly judgedAt: number
}

/** Milliseconds for which a whole proof is served without a look at the database. */
const TRUSTED_MS = 60_000

/** Bytes of all proofs in the memory of one process. */
const HELD_BYTES = 16 * 1_024 * 1_024

export type RoundProofs = ReturnType<typeof openRoundProofs>

export function openRoundProofs(parts: RoundProofsParts) {
  const { now = () => performance.now() } = parts
  const held = lru<string, Held>(HELD_BYTES, ({ text, bundle }) => text.length + bundle.text.length)
  const making = underWay<string, RoundProof>()
  const inLane = lanes(Math.max(1, Math.floor(parts.connections / 4)))
  return Object.freeze({
    /**
     * @param root of a round, in hex
     * @param address the key of who asks
     * @throws not_found also while there is no proof yet, with the reason and when to ask again; rate_limited, and the
     * codes of `generate_proof.ts`
     */
    of: async (root: string, address: string): Promise<RoundProof> => {
      const known = held.get(root)
      const judgedAt = now()
      if (known?.isWhole === true && judgedAt - known.judgedAt < TRUSTED_MS) return known
      // Nobody joins what another address may have no budget for.
      return making.join(`${root} ${address}`, async () => {
        const proof = await inLane(() => proofOf(parts, { root, address, known }))
        const made = { ...proof, judgedAt }
        held.set(root, made)
        return made
      })
    },
  })
}

async function proofOf(
  parts: RoundProofsParts,
  { root, address, known }: { root: string; address: string; known: Held | undefined },
): Promise<Omit<Held, 'judgedAt'>> {
  const em = parts.em()
  const round = await reading(() => roundByRoot(em, fromHex(root)))
  if (round === undefined) throw refuse('not_found', { detail: 'no round has this root' })
  const house = { ...parts, em }
  const { itemId: id } = round
  return orNotYet(async () => {
    const subject = await reading(() => findSubject(house, ROUND_ACCOUNT.creatorId, { type: 'item', id }))
    const { height, chains, evidence } = await reading(() => confirmedChains(em, subject.blockId))
    const isNews = evidence !== known?.evidence
    if (isNews && chains.length > 0) {
      await requireBudget(parts.charge, 'round_proof_address', address)
      await requireBudget(parts.charge, 'round_proof_fleet', FLEET)
    }
    const bundle = isNews
      ? (await verifiedBundle(house, { id, type: 'item', format: 'json', layout: 'published' }, subject))
          .answer
      : known.bundle
    const others = parts.chains.filter((name) => !chains.includes(name))
    const standings = await reading(() => blockStandings(em, { blockId: subject.blockId, chains: others }))
    const logProof = await parts.logProof?.(height)
    const isLogAwaited = parts.logProof !== undefined && logProof === undefined
    return {
      bundle,
      logProof,
      evidence,
      text: objectText({ bundle, ...(logProof === undefined ? {} : { log_proof: logProof }) }),
      isWhole: !isLogAwaited && standings.every(({ passed_over }) => passed_over),
    }
  })
}

const NOT_YET: readonly RefusalCode[] = ['subject_not_ready', 'no_external_commitments']

/** To who asks without an account, what is not there yet is not there. */
async function orNotYet<T>(prove: () => Promise<T>): Promise<T> {
  try {
    return await prove()
  } catch (error) {
    if (!(error instanceof Refusal) || !NOT_YET.includes(error.code)) throw error
    const [first] = error.problems
    const seconds = first && retryAfterSeconds(first)
    throw refuse('not_found', {
      detail: first?.detail ?? 'there is no proof yet',
      meta: { reason: error.code, ...(seconds === undefined ? {} : { retry_after_ms: seconds * 1_000 }) },
    })
  }
}
