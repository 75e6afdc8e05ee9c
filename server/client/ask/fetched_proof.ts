// A proof as a service makes it, checked against the keyring of that service.
import { Complaint } from '../../../shared/cli/terminal.ts'
import { BundleRejected } from '../../../shared/proof/bundle/bundle_parts.ts'
import { readOrUndefined, rethrown } from '../../../shared/proof/bytes.ts'
import { type JsonValue, memberAt } from '../../../shared/proof/json_value.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { bundleBytes, type ProofInput, readAnyBundle } from '../../../shared/verifier/read_any_bundle.ts'
import { judgeReport } from '../../../shared/verifier/verdict.ts'
import { findKeyring } from '../keyring.ts'
import { postTo, type Service } from './ask_service.ts'

/**
 * What `proof/generate` answers: a bundle, or CBOR as base64 text.
 * @param read undefined for what is none
 * @throws Complaint as `postTo` does, and for what is none
 */
export async function generatedProof<T>(
  service: Service,
  request: ProofInput,
  read: (result: JsonValue) => T | undefined,
): Promise<T> {
  const answer = await postTo(service, '/api/json/proof/generate', { data: { ...request } }, true)
  const result = memberAt(answer, 'result')
  const proof = result === undefined ? undefined : read(result)
  if (proof !== undefined) return proof
  throw new Complaint(`${service.url.origin} answered with something else than a proof.`)
}

/** The same as the bytes of a file. @throws Complaint */
export const generatedBytes = (service: Service, request: ProofInput): Promise<Uint8Array> =>
  generatedProof(service, request, (result) => readOrUndefined(() => bundleBytes(result)))

/** Also says what its validity leaves open. @throws Complaint for what is no bundle, and when it does not verify */
export async function checkFetched({ url }: Service, bytes: Uint8Array) {
  const keyring = await findKeyring(url.origin)
  const read = rethrown(
    () => readAnyBundle(bytes),
    BundleRejected,
    ({ reason }) => new Complaint(`${url.origin} answered with something else than a proof (${reason}).`),
  )
  const judgement = judgeReport(read, await verifyBundle(read, { keyrings: [keyring] }), [keyring])
  if (judgement.verdict !== 'valid')
    throw new Complaint(`${url.origin} sent a proof that does not verify. ${judgement.sentence}`, {
      exitCode: 1,
    })
  return { read, keyring, reservations: judgement.reservations }
}
