// A request for a proof: its parameters, its budget, its refusals, and when a proof can be had: after the next block, the
// next epoch, and the time that a public chain takes to confirm it.
import { ENTROPY_NAMES, type EntropyName } from '../../../shared/proof/entropy_names.ts'
import { normalizeUlid, normalizeUuid7 } from '../../../shared/proof/ids.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { type Problem, problem, type Refusal, type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../store/database_errors.ts'
import type { ConfiguredChain } from '../commitments/chains/configured_chains.ts'
import type { BlockStanding } from '../commitments/commitment_entries.ts'
import { FLEET } from '../limits/budgets.ts'
import { type ChargeBudget, requireBudget } from '../limits/charge.ts'

/** Blocks and epochs are made at the boundaries of slots, which are aligned to the clock. All values are milliseconds. */
export interface ProofSlots {
  readonly blockMs: number
  /** One for each public chain that epochs are committed to. */
  readonly chains: readonly ProofChain[]
}

interface ProofChain extends Pick<ConfiguredChain, 'intervalMs' | 'confirmMs' | 'retryMs'> {
  readonly chain: Pick<ConfiguredChain['chain'], 'name'>
}

/**
 * For the `meta` of a refusal: the milliseconds until a proof is expected on the first chain that can have it. A chain
 * that is late may be late for days, so it counts only when all are: then this is the time to the next try. Null when no
 * chain will ever have it. Empty when nothing is committed to any chain; the code's own wait is told then.
 * @param standings of the block that holds the subject, absent while there is none
 */
export function proofWait(
  { blockMs, chains }: ProofSlots,
  nowMs: number,
  standings?: readonly BlockStanding[],
): { readonly retry_after_ms?: number | null } {
  if (chains.length === 0) return {}
  const inBlockAt = standings === undefined ? boundaryFrom(nowMs, blockMs) : nowMs
  const waits = chains.flatMap(({ chain, intervalMs, confirmMs, retryMs }) => {
    const standing = standings?.find((each) => each.chain === chain.name)
    if (standing?.passed_over === true) return []
    const sinceMs = standing?.since_ms ?? boundaryFrom(inBlockAt, intervalMs)
    return [{ leftMs: sinceMs + confirmMs - nowMs, retryMs }]
  })
  const inTime = waits.filter(({ leftMs }) => leftMs > 0)
  const waitsMs = inTime.length > 0 ? inTime.map(({ leftMs }) => leftMs) : waits.map(({ retryMs }) => retryMs)
  return { retry_after_ms: waitsMs.length === 0 ? null : Math.ceil(Math.min(...waitsMs)) }
}

const boundaryFrom = (ms: number, slotMs: number): number => Math.ceil(ms / slotMs) * slotMs

/** For models: how long a proof takes from the submission on. */
export function proofWaitWords({ blockMs, chains }: ProofSlots): string {
  const [quickest] = chains.toSorted((a, b) => a.intervalMs + a.confirmMs - b.intervalMs - b.confirmMs)
  if (quickest === undefined) return 'Nothing is committed to a chain here, so no proof can be made.'
  const { intervalMs, confirmMs } = quickest
  return `A proof is ready within about ${spoken(blockMs + intervalMs + confirmMs)} of create_item: blocks are made every ${spoken(blockMs)} and committed to a chain every ${spoken(intervalMs)}.`
}

/** e.g. `45 s`, `26 min` */
const spoken = (ms: number): string =>
  ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`

export const refuseProof = (
  code: RefusalCode,
  {
    meta = {},
    ...parts
  }: { readonly detail?: string; readonly meta?: Readonly<Record<string, unknown>> } = {},
): Refusal => refuse(code, { ...parts, meta: { code, ...meta } })

/**
 * Runs a read. Other errors pass unchanged.
 * @throws lookup_failed when the database cannot be read now
 */
export async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isDatabaseUnavailable(error) || isStatementTimeout(error)) throw refuseProof('lookup_failed')
    throw error
  }
}

/**
 * Call it after the arguments are checked, so that a request with wrong arguments costs nothing.
 * @throws rate_limited
 */
export async function chargeGeneration(charge: ChargeBudget, userId: string): Promise<void> {
  await requireBudget(charge, 'proof_generate', userId)
  await requireBudget(charge, 'proof_generate_fleet', FLEET)
}

export const PROOF_TYPES = [
  'item',
  'block',
  'beacon',
  ...ENTROPY_NAMES,
] as const satisfies readonly ProofType[]

export type WitnessName = 'block' | EntropyName | 'signing_key_event'

/** All names in ascending order. A subject may have only some of them. */
export const WITNESS_NAMES: readonly WitnessName[] = [
  'block',
  ...ENTROPY_NAMES.toSorted(),
  'signing_key_event',
]

export const PROOF_FORMATS = ['json', 'cbor'] as const
type ProofFormat = (typeof PROOF_FORMATS)[number]

export const PROOF_LAYOUTS = ['published', 'compact'] as const
type ProofLayout = (typeof PROOF_LAYOUTS)[number]

/** In bytes of text or CBOR. Our verification refuses larger proofs, and we never make one. */
export const MAX_PROOF_BYTES = 262_144

export interface ProofRequest {
  readonly id: string
  readonly type: ProofType
  /** When absent, all witnesses are carried. */
  readonly witnesses?: readonly string[] | undefined
  readonly format: ProofFormat
  readonly layout: ProofLayout
}

const isWitnessName = (name: string): name is WitnessName => WITNESS_NAMES.some((known) => known === name)

/** Maximum number of characters of an unknown name in an error. */
const LONGEST_TOLD = 64

/** The arguments that passed their own checks. */
interface Judgeable {
  readonly id?: string | undefined
  readonly type?: ProofType | undefined
  readonly witnesses?: readonly string[] | undefined
}

/** Problems for a type that is missing, for an id of the wrong shape and for every unknown witness name. */
export function proofRequestProblems({ id, type, witnesses }: Judgeable): Problem[] {
  const problems: Problem[] = []
  if (id !== undefined && type !== undefined && normalizedId(type, id) === undefined) {
    const detail = type === 'item' ? 'must be a ULID' : 'must be a UUIDv7'
    problems.push(problem('invalid_argument', { path: ['id'], detail }))
  }
  // Only a ULID says what it is of.
  if (type === undefined && (id === undefined || normalizeUlid(id) === undefined))
    problems.push(problem('required', { path: ['type'], detail: 'is required unless the id is a ULID' }))
  for (const [index, witness] of (witnesses ?? []).entries())
    if (!isWitnessName(witness))
      problems.push(
        problem('invalid_witness', {
          path: ['witnesses', String(index)],
          detail: `is not the name of a witness: ${WITNESS_NAMES.join(', ')}`,
          meta: {
            code: 'invalid_witness',
            witness: witness.slice(0, LONGEST_TOLD).toWellFormed(),
            valid: WITNESS_NAMES,
          },
        }),
      )
  return problems
}

/**
 * Returns the id in its canonical spelling, which is hashed. Undefined when the id has the wrong shape for this type.
 */
export const normalizedId = (type: ProofType, id: string): string | undefined =>
  type === 'item' ? normalizeUlid(id) : normalizeUuid7(id)

/** The witnesses to carry, if the subject has them. */
export const wantedWitnesses = (witnesses: readonly string[] | undefined): ReadonlySet<WitnessName> =>
  new Set(witnesses === undefined ? WITNESS_NAMES : witnesses.filter(isWitnessName))
