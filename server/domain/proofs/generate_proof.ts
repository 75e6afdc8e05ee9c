// Makes the proof of one subject, as a bundle or, of an item, as an .ots file. The bundle is verified before anything is
// returned, and nothing is stored.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Bundle } from '../../../shared/proof/bundle/bundle.ts'
import { compactCbor, compactJson } from '../../../shared/proof/bundle/compact.ts'
import { readBundleCbor, readBundleJson } from '../../../shared/proof/bundle/read_bundle.ts'
import { bundleCbor, bundleJson } from '../../../shared/proof/bundle/write_bundle.ts'
import { rethrown, toBase64 } from '../../../shared/proof/bytes.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { claimsPath } from '../../../shared/proof/opentimestamps/item_path.ts'
import { OTS_CONTENT_TYPE, otsFileName, otsFileOf } from '../../../shared/proof/opentimestamps/ots_file.ts'
import { NotExpressible } from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { JsonText } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import { refuseAny } from '../../kernel/refusal.ts'
import type { Signer } from '../ledger/signing_key.ts'
import type { ChargeBudget } from '../limits/charge.ts'
import { type FoundSubject, findSubject, itemSubject, readItem, storedObject } from './find_subject.ts'
import { introducedKeys, ownKeyring } from './keyrings.ts'
import { makeBundle } from './make_bundle.ts'
import {
  chargeGeneration,
  MAX_PROOF_BYTES,
  normalizedId,
  type ProofRequest,
  type ProofSlots,
  proofRequestProblems,
  reading,
  refuseProof,
} from './proof_request.ts'
import { verifySignature } from './verify_proof.ts'

/** The collaborators of everything that generates proofs. */
export interface Generating {
  readonly em: EntityManager
  readonly signer: Signer
  readonly charge: ChargeBudget
  /** Tell how long to wait for a proof that cannot be made yet. */
  readonly slots: ProofSlots
  readonly log: Log
}

/**
 * Writes the bundle in the requested form, reads it back, and returns it only when every check passes. Makes a few
 * statements for a block of any size.
 * @throws the codes of `make_bundle.ts`, generation_failed
 */
export async function verifiedBundle(
  { em, signer, slots, log }: Omit<Generating, 'charge'>,
  request: ProofRequest,
  subject: FoundSubject,
) {
  const keys = await reading(() => introducedKeys(em))
  const key = keys.at(-1)
  if (key === undefined) throw new Error('The ledger has no current signing key.')
  const bundle = await makeBundle({ em, signer, slots }, { request, key, subject })
  const { size, ...verified } = written(bundle, request)
  const report = await verifyBundle(verified.read, { keyrings: [ownKeyring(keys)], verifySignature })
  const failed = report.steps.filter(({ status }) => status === 'fail').map(({ message }) => message)
  if (size > MAX_PROOF_BYTES) failed.push(`The bundle is larger than ${MAX_PROOF_BYTES} bytes.`)
  if (failed.length === 0) return verified
  const failedSteps = failed.join('; ')
  log.error({ type: request.type, id: request.id, failed_steps: failedSteps }, 'proof.generation_failed')
  throw refuseProof('generation_failed', {
    detail: `the proof did not pass its own verification: ${failedSteps}`,
    meta: { failed_steps: failedSteps },
  })
}

/** `answer` is the JSON text of the bundle, or the base64 of its CBOR as a JSON string. */
function written(bundle: Bundle, { layout, format }: ProofRequest) {
  if (format === 'json') {
    const text = layout === 'compact' ? compactJson(bundle) : bundleJson(bundle)
    return { answer: new JsonText(text), size: Buffer.byteLength(text), read: readBundleJson(text) }
  }
  const bytes = layout === 'compact' ? compactCbor(bundle) : bundleCbor(bundle)
  const base64 = Buffer.from(bytes).toString('base64')
  return { answer: new JsonText(JSON.stringify(base64)), size: bytes.length, read: readBundleCbor(bytes) }
}

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

/** The smallest bundle has everything that an .ots file is made of. */
const SMALLEST = { type: 'item', format: 'json', layout: 'published', witnesses: [] } as const

/**
 * Charged as the generation of a proof is. What the claims alone decide is refused also while the item has no proof
 * yet, because waiting would not help.
 * @throws not_expressible, and the codes of `generate_proof.ts`
 */
export async function exportOpentimestamps(
  house: Generating,
  { userId }: { readonly userId: string },
  { id: given }: { readonly id: string },
) {
  refuseAny(proofRequestProblems({ type: 'item', id: given }))
  await chargeGeneration(house.charge, userId)
  const id = normalizedId('item', given) ?? given
  const item = await reading(() => readItem(house.em, userId, id))
  expressed(() => claimsPath(claimsOf(item.claims)))
  const { read } = await verifiedBundle(house, { ...SMALLEST, id }, itemSubject(house, item))
  const { network, bytes } = expressed(() => otsFileOf(read))
  return {
    filename: otsFileName(id, network),
    /** base64. */
    ots: toBase64(bytes),
    content_type: OTS_CONTENT_TYPE,
    network,
  }
}

function claimsOf(claims: string | null): JsonObject {
  if (claims === null) throw new NotExpressible('redacted')
  return storedObject(claims)
}

/** @throws not_expressible with the reason */
const expressed = <T>(express: () => T): T =>
  rethrown(express, NotExpressible, ({ reason, message: detail }) =>
    refuseProof('not_expressible', { detail, meta: { reason } }),
  )
