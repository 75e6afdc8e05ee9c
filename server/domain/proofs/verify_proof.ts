// Verifies a proof from a request and returns the report of every check. Nothing is stored.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { LookupAddresses } from '../../../shared/proof/lookups/lookup_places.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import type { Report } from '../../../shared/proof/verify/report.ts'
import { verifyBundle, wouldLookUp } from '../../../shared/proof/verify/verify_bundle.ts'
import { outsideLookups, type Waiting } from './outside_lookups.ts'
import { introducedKeys, ownKeyring } from './own_keyring.ts'
import { type ChargeBudget, chargeLookups, chargeVerification } from './proof_budget.ts'
import { refuseProof } from './proof_refusal.ts'
import { readProof } from './read_proof.ts'
import type { TrustedKeyrings } from './trusted_keyrings.ts'
import { verifySignature } from './verify_signature.ts'

export interface Verifying {
  readonly em: EntityManager
  readonly charge: ChargeBudget
  readonly trusted: Pick<TrustedKeyrings, 'keyrings'>
  readonly addresses: LookupAddresses
}

export interface VerifyRequest {
  /** An object from the strict reader, JSON text, or the base64 of CBOR. */
  readonly proof: JsonObject | string
  /** The type that the caller expects. */
  readonly type?: ProofType | undefined
  readonly expectedHash?: string | undefined
  readonly skipExternal: boolean
}

/**
 * A failed proof also returns a report. Public chains and sources are asked only when the bundle has something to
 * look up and `skipExternal` is not set. Only then is the shared budget charged.
 * @throws rate_limited, invalid_argument, invalid_proof, subject_type_mismatch
 */
export async function verifyProof(
  { em, charge, trusted, addresses }: Verifying,
  { userId }: { readonly userId: string },
  { proof, type, expectedHash, skipExternal }: VerifyRequest,
  waiting: Waiting = {},
): Promise<Report> {
  await chargeVerification(charge, userId)
  const read = readProof(proof)
  if (type !== undefined && type !== read.type)
    throw refuseProof('subject_type_mismatch', {
      detail: `the proof is one of type ${read.type}`,
      meta: { expected: type, actual: read.type },
    })
  if (!skipExternal && wouldLookUp(read)) await chargeLookups(charge)
  return verifyBundle(read, {
    expectedHash,
    keyrings: [ownKeyring(await introducedKeys({ em })), ...trusted.keyrings()],
    lookups: skipExternal ? undefined : outsideLookups(addresses, undefined, waiting),
    verifySignature,
  })
}
