// The metadata of a block that introduces a signing key. It also commits to the next key.
import type { KeyEventType } from '../../../shared/audit/key_chain.ts'
import { prerotationCommitment } from '../../../shared/proof/composites.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { SigningKey } from './signing_key.ts'

/** Returns `{"key_event": {…}}` with all five members. `next` is the key whose hash is committed to. */
export const keyEventMetadata = (
  key: SigningKey,
  type: KeyEventType,
  next: SigningKey | undefined,
): JsonObject => ({
  key_event: {
    key_id: key.keyId.toString('hex'),
    prerotation_commitment:
      next === undefined ? null : Buffer.from(prerotationCommitment(next.publicKey)).toString('hex'),
    public_key: key.publicKey.toString('base64'),
    sequence: key.sequence,
    type,
  },
})
