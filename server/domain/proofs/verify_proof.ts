// Verifies a proof from a request and returns the report of every check. Public chains and sources are asked a few at a time,
// within one deadline. Nothing is stored.
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
import { fromBase64, rethrown } from '../../../shared/proof/bytes.ts'
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../shared/proof/json_value.ts'
import {
  type GetJson,
  httpLookups,
  type LookupAddresses,
  type Lookups,
} from '../../../shared/proof/lookups/lookup.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { wouldLookUp } from '../../../shared/proof/verify/facts.ts'
import type { Report } from '../../../shared/proof/verify/report.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { answeredIn, answeredInJson, REJECTION_WORDS } from '../../../shared/verifier/read_any_bundle.ts'
import { lanes } from '../../kernel/flow/side_by_side.ts'
import { parsedJson } from '../../kernel/json_text.ts'
import { refuse } from '../../kernel/refusal.ts'
import { boundedRequest, RequestFailed } from '../../outgoing/bounded_request.ts'
import { publicKeyFromRaw } from '../ledger/signing_key.ts'
import { FLEET } from '../limits/budgets.ts'
import { type ChargeBudget, requireBudget } from '../limits/charge.ts'
import { introducedKeys, ownKeyring, type TrustedKeyrings } from './keyrings.ts'
import { MAX_PROOF_BYTES, refuseProof } from './proof_request.ts'

interface LookupBounds {
  /** Milliseconds for one question. */
  readonly oneMs: number
  /** Milliseconds for all questions of one verification together. */
  readonly allMs: number
  readonly atATime: number
}

/** The verifier limits the number of different questions. */
const BOUNDS: LookupBounds = { oneMs: 10_000, allMs: 25_000, atATime: 6 }

const MAX_BYTES = 1_048_576

/** Who waits for a verification, if anybody does. */
interface WaitingCaller {
  /** Aborted when nobody waits any more. Questions end then. */
  readonly signal?: AbortSignal | undefined
  /** Called after each answer, with the numbers of answers and of questions so far. */
  readonly answered?: ((count: number, asked: number) => void) | undefined
}

/** For one verification only. Make new ones for the next. */
export const outsideLookups = (
  addresses: LookupAddresses,
  bounds: LookupBounds = BOUNDS,
  waiting: WaitingCaller = {},
): Lookups => {
  const ask = getJson(bounds, waiting)
  const inLane = lanes(bounds.atATime)
  return httpLookups({ getJson: counted(waiting, (url) => inLane(() => ask(url))), addresses })
}

function counted({ answered }: WaitingCaller, ask: GetJson): GetJson {
  let asked = 0
  let count = 0
  return async (url) => {
    asked += 1
    try {
      return await ask(url)
    } finally {
      count += 1
      answered?.(count, asked)
    }
  }
}

function getJson({ oneMs, allMs }: LookupBounds, waiting: WaitingCaller): GetJson {
  const deadline = AbortSignal.timeout(allMs)
  const signal = waiting.signal === undefined ? deadline : AbortSignal.any([deadline, waiting.signal])
  return async (url) => {
    if (signal.aborted) return { failure: `no time was left to ask ${new URL(url).host}` }
    try {
      const { status, body } = await boundedRequest(url, {
        timeoutMs: oneMs,
        maxBytes: MAX_BYTES,
        headers: { accept: 'application/json' },
        signal,
      })
      return { status, body: parsedJson(body.toString('utf8')) }
    } catch (error) {
      if (error instanceof RequestFailed) return { failure: error.message }
      throw error
    }
  }
}

/**
 * @throws invalid_argument when the proof is too large
 * @throws invalid_proof with the reason when it is not a bundle
 */
export const readProof = (proof: JsonObject | string): ReadBundle =>
  rethrown(
    () => (typeof proof === 'string' ? readText(proof) : readGiven(proof)),
    BundleRejected,
    ({ reason }) =>
      refuseProof('invalid_proof', {
        detail: `is not a proof bundle. ${REJECTION_WORDS[reason]}`,
        meta: { reason },
      }),
  )

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
  const bytes = rethrown(
    () => fromBase64(base64),
    RangeError,
    () => new BundleRejected('not_a_json_object'),
  )
  return readBundleCbor(bytes)
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

function checkSize(bytes: number): void {
  if (bytes > MAX_PROOF_BYTES)
    throw refuse('invalid_argument', {
      path: ['proof'],
      detail: `has at most ${MAX_PROOF_BYTES} bytes`,
      meta: { maximum: MAX_PROOF_BYTES },
    })
}

export interface Verifying {
  readonly em: EntityManager
  readonly charge: ChargeBudget
  readonly trusted: Pick<TrustedKeyrings, 'keyrings'>
  readonly addresses: LookupAddresses
}

interface VerifyRequest {
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
  // Before the bundle is read, because reading is work even when the text is not a bundle.
  await requireBudget(charge, 'proof_verify', userId)
  const read = readProof(proof)
  if (type !== undefined && type !== read.type)
    throw refuseProof('subject_type_mismatch', {
      detail: `the proof is one of type ${read.type}`,
      meta: { expected: type, actual: read.type },
    })
  if (!skipExternal && wouldLookUp(read)) await requireBudget(charge, 'proof_verify_external_fleet', FLEET)
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
  try {
    // OpenSSL accepts encodings beyond the field, and keys of small order, under which any message verifies.
    if (ed25519.Point.fromBytes(publicKey, false).isSmallOrder()) return false
    return verify(null, digest, publicKeyFromRaw(publicKey), signature)
  } catch {
    return false
  }
}
