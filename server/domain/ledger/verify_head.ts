// Checks at start that the head of the chain agrees with its contents, its key and the block before it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { agree, type Disagreements, describeDisagreement } from '../../../shared/audit/disagreement.ts'
import { keyIdOf } from '../../../shared/proof/composites.ts'
import { auditBlock } from './audit/audit_ledger.ts'
import { type BlockRow, headRows } from './audit/block_rows.ts'
import { type SigningKey, signatureCheck, signingKeys } from './signing_key.ts'

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
