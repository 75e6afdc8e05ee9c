// Makes the proof of one subject. The proof is verified before it is returned, and it is not stored.
import type { JsonText } from '../../kernel/json_text.ts'
import { refuseAny } from '../../kernel/refusal.ts'
import { findSubject } from './find_subject.ts'
import { chargeGeneration } from './proof_budget.ts'
import { reading } from './proof_refusal.ts'
import { normalizedId, type ProofRequest, proofRequestProblems } from './proof_request.ts'
import { type Generating, verifiedBundle } from './verified_bundle.ts'

/**
 * Returns the JSON text of the bundle, or the base64 of its CBOR as a JSON string. The arguments are checked before any
 * budget is charged.
 * @throws invalid_argument, invalid_witness, rate_limited, not_found and every code of proof generation
 */
export async function generateProof(
  house: Generating,
  { userId }: { readonly userId: string },
  request: ProofRequest,
): Promise<JsonText> {
  refuseAny(proofRequestProblems(request))
  await chargeGeneration(house.charge, userId)
  const { type } = request
  const id = normalizedId(type, request.id) ?? request.id
  const subject = await reading(() => findSubject(house, userId, { type, id }))
  const { answer } = await verifiedBundle(house, request, subject)
  return answer
}
