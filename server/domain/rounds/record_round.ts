// Records a round: its item and its row, in one transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type DigestTree, TREE_FORMAT } from '../../../shared/evidence/digest_tree.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { db, inTransaction } from '../../store/statement.ts'
import { submittedClaims } from '../ledger/claims.ts'
import { draftItem, type ItemDraft } from '../ledger/item.ts'
import type { Signer } from '../ledger/signing_key.ts'
import { type SubmittedItem, submitItems } from '../ledger/submit_items.ts'
import { ROUND_ACCOUNT } from './round.ts'
import { nextRoundNumber } from './round_numbers.ts'

export interface ClosedRound {
  /** The value of its first entry, 32 bytes. */
  readonly ownBytes: Uint8Array
  readonly tree: DigestTree
  /** The number that the tokens say, and SHA-256 of each in order, one after the other. Undefined in a round of digests. */
  readonly tokens: { readonly number: number; readonly hashes: Uint8Array } | undefined
}

export interface RecordedRound {
  readonly number: number
  readonly item: SubmittedItem
}

/** The item is durable when it returns. Nothing of the round is there when it throws, unless the commit was not answered. */
export const recordRound = (
  { em, signer }: { em: EntityManager; signer: Signer },
  { ownBytes, tree, tokens }: ClosedRound,
): Promise<RecordedRound> =>
  inTransaction(em, async (tx) => {
    const number = tokens?.number ?? (await nextRoundNumber(tx))
    const [outcome] = await submitItems({ em: tx, signer }, [roundDraft(number, tree)])
    if (outcome === undefined || 'refusal' in outcome) throw new Error('The item of a round was refused.')
    const { item } = outcome
    await db(tx)
      .insertInto('aggregation_rounds')
      .values({
        number,
        item_id: item.id,
        root: tree.root,
        size: tree.size,
        own_bytes: ownBytes,
        token_hashes: tokens?.hashes ?? null,
      })
      .execute()
    // Commit point: from here on the round is there, with all that it stands for.
    return { number, item }
  })

const roundDraft = (number: number, { root, size }: DigestTree): ItemDraft =>
  draftItem({
    claims: submittedClaims({
      name: `Pharos round ${number}`,
      hash: toHex(root),
      hash_type: 'sha256',
      metadata: { round: number, tree: { format: TREE_FORMAT, size } },
    }),
    visibility: 'public',
    ...ROUND_ACCOUNT,
  })
