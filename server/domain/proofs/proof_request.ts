// A request for a proof: its parameters, its budget, and its refusals.
import { ENTROPY_NAMES, type EntropyName } from '../../../shared/proof/entropy_names.ts'
import { normalizeUlid, normalizeUuid7 } from '../../../shared/proof/ids.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { type Problem, problem, type Refusal, type RefusalCode, refuse } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../store/database_errors.ts'
import { type BudgetName, FLEET } from '../limits/budgets.ts'
import { rateLimited } from '../limits/charge.ts'
import type { Limits } from '../limits/limits.ts'

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

export type ChargeBudget = Limits['charge']

/**
 * Call it after the arguments are checked, so that a request with wrong arguments costs nothing.
 * @throws rate_limited
 */
export async function chargeGeneration(charge: ChargeBudget, userId: string): Promise<void> {
  await require(charge, 'proof_generate', userId)
  await require(charge, 'proof_generate_fleet', FLEET)
}

/**
 * Call it before the bundle is read, because reading is work even when the text is not a bundle.
 * @throws rate_limited
 */
export const chargeVerification = (charge: ChargeBudget, userId: string): Promise<void> =>
  require(charge, 'proof_verify', userId)

/**
 * Call it only for a verification that asks a public chain or source.
 * @throws rate_limited
 */
export const chargeLookups = (charge: ChargeBudget): Promise<void> =>
  require(charge, 'proof_verify_external_fleet', FLEET)

async function require(charge: ChargeBudget, budget: BudgetName, subject: string): Promise<void> {
  const answer = await charge(budget, subject)
  if (!answer.allowed) throw rateLimited(answer)
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
export type ProofLayout = (typeof PROOF_LAYOUTS)[number]

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
