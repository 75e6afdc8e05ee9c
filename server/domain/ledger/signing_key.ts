// Signing keys: their sealed seeds, and the events that introduce and retire them.
import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { KeyEventType, SignatureCheck } from '../../../shared/audit/key_chain.ts'
import { keyIdOf, prerotationCommitment } from '../../../shared/proof/composites.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { db } from '../../store/run.ts'
import { openUnder, seal } from '../../store/seal.ts'

export interface SealedSeed {
  readonly key_id: Buffer
  readonly sealed_seed: Buffer
}

/** The newest, because a rewrap may have left an older one as it was. */
export const SEALED_SEED = 'SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence DESC LIMIT 1'

export function opensSeed(key: Pick<MasterKey, 'open'>, { key_id, sealed_seed }: SealedSeed): boolean {
  try {
    openUnder(key, 'signing_keys.sealed_seed', key_id, sealed_seed)
    return true
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

export interface SigningKey {
  readonly keyId: Buffer
  readonly publicKey: Buffer
  readonly sequence: number
  /** How it became the current key, or will become it. Set when a rotation to this key is requested. It stays set after the key is introduced. */
  readonly rotation: KeyEventType | null
  readonly introducedAtHeight: number | null
}

/** RFC 8410: the DER bytes before a raw 32-byte Ed25519 seed and before a raw public key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

export const privateKeyFromSeed = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })

export const publicKeyFromRaw = (raw: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' })

export const signatureCheck: SignatureCheck = (publicKey) => {
  const key = publicKeyFromRaw(publicKey)
  return (digest, signature) => verify(null, digest, key, signature)
}

/**
 * Makes and stores the key with this sequence number. When its 4-byte key id is already taken, it makes another key,
 * so no two keys share an id.
 * @throws master_key_changed
 */
export async function makeSigningKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  sequence: number,
): Promise<SigningKey> {
  for (;;) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8_HEAD.length)
    const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_HEAD.length)
    const keyId = Buffer.from(keyIdOf(raw))
    const sealed_seed = await seal({ em, masterKey }, 'signing_keys.sealed_seed', keyId, seed)
    const made = await db(em)
      .insertInto('signing_keys')
      .values({ key_id: keyId, public_key: raw, sealed_seed, sequence })
      .onConflict((clash) => clash.column('key_id').doNothing())
      .executeTakeFirst()
    if (made.numInsertedOrUpdatedRows === 0n) continue
    return { keyId, publicKey: raw, sequence, rotation: null, introducedAtHeight: null }
  }
}

/** Every key, oldest first. There are as many as there were rotations, plus the first one and the prepared ones. */
export async function signingKeys({ em }: { em: EntityManager }): Promise<SigningKey[]> {
  const found = await db(em)
    .selectFrom('signing_keys')
    .select(['key_id', 'public_key', 'sequence', 'rotation', 'introduced_at_height'])
    .orderBy('sequence')
    .execute()
  return found.map((key) => ({
    keyId: key.key_id,
    publicKey: key.public_key,
    sequence: key.sequence,
    rotation: key.rotation,
    introducedAtHeight: key.introduced_at_height,
  }))
}

/** Makes the key current from the block of this height on. */
export async function introduceKey(
  { em }: { em: EntityManager },
  keyId: Uint8Array,
  height: number,
): Promise<void> {
  await db(em)
    .updateTable('signing_keys')
    .set({ introduced_at_height: height })
    .where('key_id', '=', Buffer.from(keyId))
    .execute()
}

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
