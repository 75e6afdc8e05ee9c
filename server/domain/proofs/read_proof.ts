// Reads a proof from a request: an object of the strict reader, JSON text, or the base64 of CBOR.
import { BundleRejected } from '../../../shared/proof/bundle/bundle_rejected.ts'
import {
  type ReadBundle,
  readBundleCbor,
  readBundleJson,
  readBundleObject,
} from '../../../shared/proof/bundle/read_bundle.ts'
import { fromBase64 } from '../../../shared/proof/bytes.ts'
import { canonicalJson } from '../../../shared/proof/canonical_json.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import { answeredIn, answeredInJson } from '../../../shared/verifier/read_any_bundle.ts'
import { REJECTION_WORDS } from '../../../shared/verifier/rejection_words.ts'
import { refuse } from '../../kernel/refusal.ts'
import { refuseProof } from './proof_refusal.ts'
import { MAX_PROOF_BYTES } from './proof_request.ts'

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
