// Signing keys: their sealed seeds, their rotation, the events that introduce and retire them, and what signs with them.
// Opened keys exist only in the memory of this process.
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { KeyEventType, SignatureCheck } from '../../../shared/audit/chain_audit.ts'
import { keyIdOf, prerotationCommitment } from '../../../shared/proof/composites.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type MasterKey, unlessBroken } from '../../kernel/sealed.ts'
import { signBeside } from '../../kernel/sign_beside.ts'
import { openSealed, openUnder, seal } from '../../store/seal.ts'
import { db, inTransaction } from '../../store/statement.ts'
import { lockLedger } from './block.ts'

/** A sealed signing key with which a master key is tried, where the table of the key in force is out of reach. */
export interface SealedSeed {
  readonly key_id: Buffer
  readonly sealed_seed: Buffer
}

/** The newest, because a rewrap may have left an older one as it was. */
export const SEALED_SEED = 'SELECT key_id, sealed_seed FROM signing_keys ORDER BY sequence DESC LIMIT 1'

export const opensSeed = (key: Pick<MasterKey, 'open'>, { key_id, sealed_seed }: SealedSeed): boolean =>
  unlessBroken(() => openUnder(key, 'signing_keys.sealed_seed', key_id, sealed_seed)) !== undefined

/**
 * `rotation`: how it became the current key, or will become it. Set when a rotation to this key is requested. It stays set
 * after the key is introduced.
 */
export type SigningKey = Readonly<Awaited<ReturnType<typeof signingKeys>>[number]>

/** RFC 8410: the DER bytes before a raw 32-byte Ed25519 seed and before a raw public key. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')

export const privateKeyFromSeed = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })

export const publicKeyFromRaw = (raw: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' })

/** 32 bytes, of an Ed25519 key. */
export const rawPublicKey = (privateKey: KeyObject): Buffer =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url')

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
    const { privateKey } = generateKeyPairSync('ed25519')
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(PKCS8_HEAD.length)
    const raw = rawPublicKey(privateKey)
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
export const signingKeys = (em: EntityManager) =>
  db(em)
    .selectFrom('signing_keys')
    .select(['key_id as keyId', 'public_key as publicKey', 'sequence', 'rotation'])
    .select('introduced_at_height as introducedAtHeight')
    .orderBy('sequence')
    .execute()

/** Makes the key current from the block of this height on. */
export async function introduceKey(em: EntityManager, keyId: Uint8Array, height: number): Promise<void> {
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

/**
 * Marks the prepared key for introduction by the next block, and makes the key after it, because that block publishes
 * the hash of the key after it. With `emergency` the new key signs the block, because the current key is no longer
 * trusted.
 * @throws invalid_argument when a rotation already waits for its block
 * @throws master_key_changed
 */
export function rotateKey(
  { em, masterKey }: { em: EntityManager; masterKey: MasterKey },
  { emergency }: { emergency: boolean },
) {
  return inTransaction(em, async (tx) => {
    await lockLedger(tx)
    const keys = await signingKeys(tx)
    const current = keys.findLast((key) => key.introducedAtHeight !== null)
    const next = keys.find((key) => key.introducedAtHeight === null)
    if (current === undefined || next === undefined)
      throw new Error('The ledger has no current and next signing key.')
    if (next.rotation !== null)
      throw refuse('invalid_argument', { detail: 'a rotation already waits for the next block' })
    await makeSigningKey({ em: tx, masterKey }, next.sequence + 1)
    const rotation = emergency ? 'emergency_rotation' : 'rotation'
    await db(tx).updateTable('signing_keys').set({ rotation }).where('key_id', '=', next.keyId).execute()
    return { current, next: { ...next, rotation } }
  })
}

export type Signer = ReturnType<typeof createSigner>

/** Up to this many signatures are made on this thread, at about 35 us each. Sending them to the other one takes longer. */
const FEW = 8

/**
 * The signing functions throw master_key_changed when the key was made after a change of the master key that this process
 * has not learnt, and SealBroken when what is stored was changed.
 */
export function createSigner({ masterKey }: { masterKey: MasterKey }) {
  const opened = new Map<string, KeyObject>()
  const keyOf = async (em: EntityManager, keyId: Uint8Array): Promise<KeyObject> => {
    const name = Buffer.from(keyId).toString('hex')
    const known = opened.get(name)
    if (known !== undefined) return known
    const { sealed_seed } = await db(em)
      .selectFrom('signing_keys')
      .select('sealed_seed')
      .where('key_id', '=', Buffer.from(keyId))
      .executeTakeFirstOrThrow()
    const seed = await openSealed({ em, masterKey }, 'signing_keys.sealed_seed', keyId, sealed_seed)
    const key = privateKeyFromSeed(seed)
    opened.set(name, key)
    return key
  }
  return Object.freeze({
    /**
     * Returns the 64-byte Ed25519 signature (RFC 8032) over 32 raw bytes. The key is opened on first use and kept in
     * memory.
     */
    sign: async (em: EntityManager, keyId: Uint8Array, digest: Uint8Array): Promise<Buffer> =>
      sign(null, digest, await keyOf(em, keyId)),
    /**
     * Signs many digests and returns the signatures in the same order. More than `FEW` are signed in a thread beside the
     * event loop, which a batch would hold for milliseconds.
     */
    signAll: async (
      em: EntityManager,
      keyId: Uint8Array,
      digests: readonly Uint8Array[],
    ): Promise<Buffer[]> => {
      const key = await keyOf(em, keyId)
      if (digests.length <= FEW) return digests.map((digest) => sign(null, digest, key))
      return signBeside(key, digests)
    },
  })
}
