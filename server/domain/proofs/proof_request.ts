// The arguments of proof generation: the allowed values, and the checks before any lookup.
import { ENTROPY_NAMES, type EntropyName } from '../../../shared/proof/entropy_names.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { normalizeUlid } from '../../../shared/proof/ulid.ts'
import { normalizeUuid7 } from '../../../shared/proof/uuid7.ts'
import { type Problem, problem } from '../../kernel/refusal.ts'

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
export type ProofFormat = (typeof PROOF_FORMATS)[number]

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
