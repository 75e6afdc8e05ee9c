// Checks at start that the master key of this process is the one in force. With another one the server could never sign
// a block.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { holdAllKeys, keyInForce, putFirstKeyInForce } from '../../store/key_in_force.ts'
import { db, inTransaction } from '../../store/run.ts'
import { openUnder } from '../../store/seal.ts'

interface Tried {
  readonly em: EntityManager
  readonly masterKey: MasterKey
}

/** The message says what to do. */
export class AnotherKeyInForce extends Error {
  /** The fingerprint of the key in force. Undefined in a ledger that an earlier version made. */
  readonly inForce: string | undefined

  constructor(masterKey: MasterKey, inForce: string | undefined, cause?: unknown) {
    const which =
      inForce === undefined || inForce === masterKey.fingerprint
        ? ''
        : ` Its fingerprint is ${masterKey.fingerprint}, and that of the key in force is ${inForce}.`
    super(
      `The master key does not open the signing keys of this ledger.${which} Nothing was started and nothing changed. Set ` +
        'MASTER_KEY to the key that this ledger was made with, or was last rewrapped to: it is the same on every server. ' +
        'Check also that DATABASE_URL, or DATA_DIR, is the right one.',
      { cause },
    )
    this.inForce = inForce
  }
}

/**
 * Changes nothing. Also opens the two newest signing keys, which include the current one.
 * @throws AnotherKeyInForce
 */
export async function checkMasterKey({ em, masterKey }: Tried): Promise<void> {
  await checkedSeeds({ em, masterKey })
}

/**
 * Like `checkMasterKey`, and the key is the one in force from now on, where an earlier version has sealed and did not
 * say under which key. @throws AnotherKeyInForce
 */
export async function establishMasterKey({ em, masterKey }: Tried): Promise<void> {
  // Whoever seals meanwhile is refused while the lock is held, so only the first start of this version takes it.
  if ((await keyInForce(em)) !== undefined) return checkMasterKey({ em, masterKey })
  await inTransaction(em, async (tx) => {
    await holdAllKeys(tx)
    if ((await checkedSeeds({ em: tx, masterKey })) > 0) await putFirstKeyInForce({ em: tx, masterKey })
  })
}

/** Returns how many were there. */
async function checkedSeeds({ em, masterKey }: Tried): Promise<number> {
  const inForce = await keyInForce(em)
  if (inForce !== undefined && inForce !== masterKey.fingerprint)
    throw new AnotherKeyInForce(masterKey, inForce)
  const sealed = await db(em)
    .selectFrom('signing_keys')
    .select(['key_id', 'sealed_seed'])
    .orderBy('sequence', 'desc')
    .limit(2)
    .execute()
  try {
    for (const { key_id, sealed_seed } of sealed)
      openUnder(masterKey, 'signing_keys.sealed_seed', key_id, sealed_seed)
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new AnotherKeyInForce(masterKey, inForce, error)
  }
  return sealed.length
}
