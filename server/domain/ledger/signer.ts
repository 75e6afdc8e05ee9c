// Signs digests with the ledger's keys. Opened keys exist only in the memory of this process.
import { type KeyObject, sign } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { MasterKey } from '../../kernel/sealed.ts'
import { signBeside } from '../../kernel/sign_beside.ts'
import { db } from '../../store/run.ts'
import { openSealed } from '../../store/seal.ts'
import { privateKeyFromSeed } from './signing_key.ts'

export interface Signer {
  /**
   * Returns the 64-byte Ed25519 signature (RFC 8032) over 32 raw bytes. The key is opened on first use and kept in
   * memory.
   */
  readonly sign: (em: EntityManager, keyId: Uint8Array, digest: Uint8Array) => Promise<Buffer>
  /**
   * Signs many digests and returns the signatures in the same order. More than `FEW` are signed in a thread beside the
   * event loop, which a batch would hold for milliseconds.
   */
  readonly signAll: (
    em: EntityManager,
    keyId: Uint8Array,
    digests: readonly Uint8Array[],
  ) => Promise<Buffer[]>
}

/** Up to this many signatures are made on this thread, at about 35 us each. Sending them to the other one takes longer. */
const FEW = 8

/**
 * The signing functions throw master_key_changed when the key was made after a change of the master key that this process
 * has not learnt, and SealBroken when what is stored was changed.
 */
export function createSigner({ masterKey }: { masterKey: MasterKey }): Signer {
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
    sign: async (em: EntityManager, keyId: Uint8Array, digest: Uint8Array) =>
      sign(null, digest, await keyOf(em, keyId)),
    signAll: async (em: EntityManager, keyId: Uint8Array, digests: readonly Uint8Array[]) => {
      const key = await keyOf(em, keyId)
      if (digests.length <= FEW) return digests.map((digest) => sign(null, digest, key))
      return signBeside(key, digests)
    },
  })
}
