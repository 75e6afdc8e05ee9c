// Verifies a proof from a request and returns the report of every check. Nothing is stored.
import { verify } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { ed25519 } from '@noble/curves/ed25519.js'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import {
  type ReadBundle,
  readBundleCbor,
  readBundleJson,
  readBundleObject,
} from '../../../shared/proof/bundle/read_bundle.ts'
import { fromBase64 } from '../../../shared/proof/bytes.ts'
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../shared/proof/json_value.ts'
import type { LookupAddresses } from '../../../shared/proof/lookups/lookup.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { wouldLookUp } from '../../../shared/proof/verify/facts.ts'
import type { Report } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { answeredIn, answeredInJson, REJECTION_WORDS } from '../../../shared/verifier/read_any_bundle.ts'
import { refuse } from '../../kernel/refusal.ts'
import { publicKeyFromRaw } from '../ledger/signing_key.ts'
import { introducedKeys, ownKeyring, type TrustedKeyrings } from './keyrings.ts'
import { outsideLookups, type WaitingCaller } from './outside_lookups.ts'
import {
  type ChargeBudget,
  chargeLookups,
  chargeVerification,
  MAX_PROOF_BYTES,
  refuseProof,
} from './proof_request.ts'

/**
 * @throws invalid_argument when the proof is too large
 * @throws invalid_proof with the reason when it is not a bundle
 */
export function readProof(proof: JsonObject | string): ReadBundle {
  try {
    return typeof proof === 'string' ? readText(proof) : readGiven(proof)
  } catch (error) {
    if (!(error instanceof BundleRejected)) throw error
    throw refuseProof('invalid_proof', {
      detail: `is not a proof bundle. ${REJECTION_WORDS[error.reason]}`,
      meta: { reason: error.reason },
    })
  }
}

/** JSON's own white space. Text with other characters in front is not JSON. */
const OPENS_OBJECT = /^[\t\n\r ]*\{/
const OPENS_ANSWER = /^[\t\n\r ]*\{[\t\n\r ]*"result"/

function readText(text: string): ReadBundle {
  if (OPENS_OBJECT.test(text)) {
    checkSize(Buffer.byteLength(text))
    const answered = OPENS_ANSWER.test(text) ? answeredInJson(text) : undefined
    return answered === undefined ? readBundleJson(text) : readAnswered(answered)
  }
  const base64 = text.trim()
  checkSize(Buffer.byteLength(base64, 'base64'))
  return readBundleCbor(base64Bytes(base64))
}

/** A bundle, or the answer in which generation gave it: whoever passes an answer on need not take it apart. */
function readGiven(given: JsonObject): ReadBundle {
  const answered = answeredIn(given)
  return answered === undefined ? readObject(given) : readAnswered(answered)
}

function readAnswered(answered: JsonValue): ReadBundle {
  if (typeof answered === 'string') return readText(answered)
  if (isJsonObject(answered)) return readObject(answered)
  throw new BundleRejected('not_a_json_object')
}

/** An object has no text, so its canonical text counts, which is the shortest. */
function readObject(proof: JsonObject): ReadBundle {
  checkSize(Buffer.byteLength(canonicalJson(proof)))
  return readBundleObject(proof)
}

function base64Bytes(text: string): Uint8Array {
  try {
    return fromBase64(text)
  } catch (error) {
    if (error instanceof RangeError) throw new BundleRejected('not_a_json_object')
    throw error
  }
}

function checkSize(bytes: number): void {
  if (bytes > MAX_PROOF_BYTES)
    throw refuse('invalid_argument', {
      path: ['proof'],
      detail: `has at most ${MAX_PROOF_BYTES} bytes`,
      meta: { maximum: MAX_PROOF_BYTES },
    })
}

interface Verifying {
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
  waiting: WaitingCaller = {},
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
    keyrings: [ownKeyring(await introducedKeys(em)), ...trusted.keyrings()],
    lookups: skipExternal ? undefined : outsideLookups(addresses, undefined, waiting),
    verifySignature,
  })
}

/**
 * With OpenSSL, which is several times faster than JavaScript, under the strict rules of `shared/proof/ed25519.ts`. Takes
 * a 32-byte key and a 64-byte signature. Returns false for other sizes. Never throws.
 */
export function verifySignature(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  if (!isOrdinaryKey(publicKey)) return false
  try {
    return verify(null, digest, publicKeyFromRaw(publicKey), signature)
  } catch {
    return false
  }
}

/**
 * OpenSSL accepts encodings beyond the field, and keys of small order, under which any message verifies. This
 * function refuses both.
 */
function isOrdinaryKey(publicKey: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder()
  } catch {
    return false
  }
}
