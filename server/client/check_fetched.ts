// Checks a proof that a service sent, against the keyring of that service.
import type { ReadBundle } from '../../shared/proof/bundle/read_bundle.ts'
import { verifyBundle } from '../../shared/proof/verify/verify_bundle.ts'
import { readAnyBundle } from '../../shared/verifier/read_any_bundle.ts'
import { judge } from '../../shared/verifier/verdict.ts'
import type { Service } from './ask_service.ts'
import { Complaint } from './complaint.ts'
import { type FoundKeyring, findKeyring } from './fetch_keyring.ts'
import { readKeys } from './keyring_shelf.ts'

export interface CheckedProof {
  readonly read: ReadBundle
  readonly keyring: FoundKeyring
  /** What its validity leaves open. */
  readonly reservations: readonly string[]
}

/** @throws Complaint when it does not verify */
export async function checkFetched({ url }: Service, bytes: Uint8Array): Promise<CheckedProof> {
  const keyring = await findKeyring(url.origin)
  const named = { name: keyring.name, keys: readKeys(keyring.document, keyring.name) }
  const read = readAnyBundle(bytes)
  const judgement = judge(read, await verifyBundle(read, { keyrings: [named] }), [named])
  if (judgement.verdict !== 'valid')
    throw new Complaint(`${url.origin} sent a proof that does not verify. ${judgement.sentence}`, {
      exitCode: 1,
    })
  return { read, keyring, reservations: judgement.reservations }
}
