// Checks at start that the master key of this process is the one in force, because with another one the server could
// never sign a block, and that the head of the chain agrees with its contents, its key and the block before it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { agree, type Disagreements, describeDisagreement } from '../../../shared/audit/disagreement.ts'
import { keyIdOf } from '../../../shared/proof/composites.ts'
import { type MasterKey, SealBroken } from '../../kernel/sealed.ts'
import { holdAllKeys, keyInForce, openUnder, putFirstKeyInForce, type Sealing } from '../../store/seal.ts'
import { db, inTransaction } from '../../store/statement.ts'
import { auditBlock } from './audit/audit_ledger.ts'
import { type BlockRow, headRows } from './audit/block_rows.ts'
import { type SigningKey, signatureCheck, signingKeys } from './signing_key.ts'

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
 * Like `checkMasterKey`, and the key is the one in force from now on, where an earlier version has sealed and did not
 * say under which key. @throws AnotherKeyInForce
 */
export async function establishMasterKey({ em, masterKey }: Sealing): Promise<void> {
  // Whoever seals meanwhile is refused while the lock is held, so only the first start of this version takes it.
  if ((await keyInForce(em)) !== undefined) return void (await checkMasterKey({ em, masterKey }))
  await inTransaction(em, async (tx) => {
    await holdAllKeys(tx)
    if ((await checkMasterKey({ em: tx, masterKey })) > 0) await putFirstKeyInForce({ em: tx, masterKey })
  })
}

/**
 * Changes nothing. Also opens the two newest signing keys, which include the current one. Returns how many there are of
 * these.
 * @throws AnotherKeyInForce
 */
export async function checkMasterKey({ em, masterKey }: Sealing): Promise<number> {
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

/**
 * Reads two blocks and the keys, for a chain of any length. A server must not start on a ledger whose head does not
 * verify, because it would add blocks to it.
 * @throws Error that says what disagrees and what to do
 */
export async function verifyHead(em: EntityManager): Promise<void> {
  const [head, previous] = await headRows(em)
  if (head === undefined) throw new Error(`The ledger has no block, not even genesis. ${ADVICE}`)
  const [first] = disagreements(head, previous, await signingKeys(em))
  if (first !== undefined)
    throw new Error(`The head of the ledger does not verify: ${describeDisagreement(first)}. ${ADVICE}`)
}

const ADVICE =
  'Nothing was started and nothing changed. Check that DATABASE_URL names the right database; if it does, run ' +
  '`npm run audit` to see how far the damage goes, and restore the database from a backup or a healthy replica.'

function* disagreements(
  head: BlockRow,
  previous: BlockRow | undefined,
  keys: readonly SigningKey[],
): Disagreements {
  const signer = signerOf(head, keys)
  const place = { height: head.height }
  if (signer === undefined) {
    yield { ...place, field: 'signing_key_id', expected: 'a signing key introduced up to this block' }
    return
  }
  yield* agree(place, 'signing_keys.key_id', keyIdOf(signer.publicKey), signer.keyId)
  const key = { keyId: signer.keyId.toString('hex'), signed: signatureCheck(signer.publicKey) }
  yield* auditBlock(head, head.height === 0 ? undefined : previous, key)
}

/** The outgoing key signs the block that carries a regular rotation. */
function signerOf(head: BlockRow, keys: readonly SigningKey[]): SigningKey | undefined {
  const introduced = keys.filter(
    ({ introducedAtHeight }) => introducedAtHeight !== null && introducedAtHeight <= head.height,
  )
  const last = introduced.at(-1)
  const byOutgoing = last?.rotation === 'rotation' && last.introducedAtHeight === head.height
  return byOutgoing ? introduced.at(-2) : last
}
