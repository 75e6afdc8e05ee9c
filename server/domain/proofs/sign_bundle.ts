// Completes a bundle: it adds the time and the key, and signs both together with the hashes.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Bundle } from '../../../shared/proof/bundle/bundle.ts'
import { fromHex, toBase64 } from '../../../shared/proof/bytes.ts'
import { keyIdOf } from '../../../shared/proof/composites.ts'
import { signedPayloadDigest, TYPE_CODES } from '../../../shared/proof/signed_payload.ts'
import { SealBroken } from '../../kernel/sealed.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../store/database_errors.ts'
import { isKeyChanged } from '../../store/key_in_force.ts'
import type { Signer } from '../ledger/signer.ts'
import type { SigningKey } from '../ledger/signing_key.ts'
import { refuseProof } from './proof_request.ts'

type Unsigned = Omit<Bundle, 'version' | 'generated_at' | 'public_key' | 'signature'>

interface Signing {
  readonly key: SigningKey
  /** Unix milliseconds. Fractions of a second are cut, because the text in the bundle has whole seconds. */
  readonly nowMs: number
  /** 32 bytes. For a block this is the block hash. */
  readonly subjectHash: Uint8Array
  readonly blockHash: Uint8Array
}

/** @throws signing_unavailable when the key cannot be opened or read */
export async function signBundle(
  { em, signer }: { em: EntityManager; signer: Signer },
  unsigned: Unsigned,
  { key, nowMs, subjectHash, blockHash }: Signing,
): Promise<Bundle> {
  const generatedAtMs = Math.floor(nowMs / 1_000) * 1_000
  const digest = signedPayloadDigest({
    typeCode: TYPE_CODES[unsigned.type],
    keyId: keyIdOf(key.publicKey),
    generatedAtMs,
    subjectHash,
    blockHash,
    epochRoots: unsigned.commitments.map((entry) => fromHex(entry.epoch_merkle_root)),
  })
  return {
    ...unsigned,
    version: 1,
    generated_at: new Date(generatedAtMs).toISOString().replace('.000Z', 'Z'),
    public_key: toBase64(key.publicKey),
    signature: toBase64(await signature({ em, signer }, key, digest)),
  }
}

async function signature(
  { em, signer }: { em: EntityManager; signer: Signer },
  { keyId }: SigningKey,
  digest: Uint8Array,
): Promise<Uint8Array> {
  try {
    return await signer.sign(em, keyId, digest)
  } catch (error) {
    const isUnusable = error instanceof SealBroken || isKeyChanged(error)
    if (isUnusable || isDatabaseUnavailable(error) || isStatementTimeout(error))
      throw refuseProof('signing_unavailable')
    throw error
  }
}
