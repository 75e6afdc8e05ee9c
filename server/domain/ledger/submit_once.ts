// Many submissions in one transaction, and with an Idempotency-Key the same ones only once.

import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Problem } from '../../kernel/refusal.ts'
import { inTransaction } from '../../store/transaction.ts'
import { type Amount, judgeAllowance, takeAllowance } from '../accounts/daily_allowance.ts'
import { onceFor } from '../accounts/idempotency.ts'
import type { Plan } from '../accounts/plan.ts'
import type { ItemDraft } from './item_draft.ts'
import type { Signer } from './signer.ts'
import { submitItems } from './submit_items.ts'

export type SubmitResult = { readonly id: string } | { readonly problems: readonly Problem[] }

export interface OnceRequest {
  readonly userId: string
  readonly key: string
  readonly request: Uint8Array
}

/** Who submits: the drafts are all of theirs. */
export interface Submitting {
  readonly userId: string
  readonly plan: Plan
}

/**
 * One outcome per draft, in order. With `once`, a repeated request gets the first one's ids, whatever is left of the
 * day's allowance: that is taken by whoever makes the items, and by nobody who waits for them.
 * @throws idempotency_conflict, plan_limit for all of them together
 */
export async function submitOnce(
  { em, signer }: { em: EntityManager; signer: Signer },
  { userId, plan }: Submitting,
  drafts: readonly ItemDraft[],
  once: OnceRequest | undefined,
): Promise<readonly SubmitResult[]> {
  const asked = { creatorId: userId, plan }
  let made: readonly ItemDraft[] = []
  const submit = async (tx: EntityManager): Promise<SubmitResult[]> => {
    // What is plainly too much is not made first.
    await judgeAllowance({ em: tx }, { ...asked, ...amountOf(drafts) })
    const outcomes = await submitItems({ em: tx, signer }, drafts)
    made = outcomes.flatMap((outcome) => ('item' in outcome ? [outcome.item.draft] : []))
    return outcomes.map((outcome) =>
      'item' in outcome ? { id: outcome.item.id } : { problems: outcome.refusal.problems },
    )
  }
  const take = (tx: EntityManager) => takeAllowance({ em: tx }, { ...asked, ...amountOf(made) })
  if (once === undefined)
    return inTransaction(em, async (tx) => {
      const results = await submit(tx)
      await take(tx)
      return results
    })
  const outcome = await onceFor({ em }, once, async (tx) => JSON.stringify(await submit(tx)), take)
  return stored.parse(JSON.parse(outcome))
}

const amountOf = (drafts: readonly ItemDraft[]): Amount => ({
  items: drafts.length,
  bytes: drafts.reduce((sum, { claimsBytes }) => sum + claimsBytes, 0),
})

const stored: z.ZodType<SubmitResult[]> = z.array(
  z.union([z.object({ id: z.string() }), z.object({ problems: z.array(z.custom<Problem>()) })]),
)
