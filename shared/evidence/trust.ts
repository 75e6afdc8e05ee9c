// Whose word counts when evidence is verified, and which key signed.
import type { LogTrust } from '../audit/audit_copy.ts'
import type { ReadBundle } from '../proof/bundle/read_bundle.ts'
import { toHex } from '../proof/bytes.ts'
import { keyIdOf } from '../proof/composites.ts'
import type { Lookups } from '../proof/lookups/lookup.ts'
import { base64Bytes } from '../proof/verify/carried_values.ts'
import type { VerifySignature } from '../proof/verify/examination.ts'
import type { NamedKeyring } from '../proof/verify/keyring.ts'
import type { Finding } from '../proof/verify/report.ts'
import type { TreeEntry } from './digest_tree.ts'

export interface EvidenceTrust {
  readonly keyrings: readonly NamedKeyring[]
  /** Keys of logs and witnesses that the reader has chosen. Those of others count for nothing. */
  readonly logs?: LogTrust | undefined
  /** When absent, no chain is asked. */
  readonly lookups?: Lookups | undefined
  /** A faster Ed25519, which must be as strict as `verifySignature` of `ed25519.ts`. */
  readonly verifySignature?: VerifySignature | undefined
  /**
   * Checks the time-stamp token in evidence, base64, against its digest. Brought along, because what verifies certificates
   * is large. When absent, the token is not read.
   */
  readonly checkTimeStamp?: ((token: string, digest: TreeEntry) => Promise<readonly Finding[]>) | undefined
}

/**
 * A bundle carries the key that signed it. Whether it is trusted is for the keyrings to say.
 * @returns `publicKey` of 32 bytes, undefined when no key with that id is at hand; `isTrusted` when a keyring has it
 */
export function signerOf(
  signingKeyId: Uint8Array,
  keyrings: readonly NamedKeyring[],
  bundle: ReadBundle | undefined,
) {
  const id = toHex(signingKeyId)
  const known = keyrings.flatMap(({ keys }) => keys).find(({ key_id }) => key_id === id)
  if (known !== undefined) return { publicKey: base64Bytes(known.public_key, 32), isTrusted: true }
  const carriedKey = base64Bytes(bundle?.publicKey, 32)
  const isIt = carriedKey !== undefined && toHex(keyIdOf(carriedKey)) === id
  return { publicKey: isIt ? carriedKey : undefined, isTrusted: false }
}

export type KnownSigner = ReturnType<typeof signerOf>
