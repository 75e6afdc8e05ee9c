// Records many submissions in one transaction. With an Idempotency-Key, a repeated request records them only once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Problem } from '../../kernel/refusal.ts'
import { inTransaction } from '../../store/run.ts'
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

/** The submitter. All drafts must belong to this user. */
export interface Submitting {
  readonly userId: string
  readonly plan: Plan
}

/**
 * Returns one outcome per draft, in the same order. With `once`, a repeated request gets the ids of the first one,
 * even when the day's allowance is used up, because only the request that makes the items is charged.
 * @throws idempotency_conflict, plan_limit for all drafts together
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
    // Refuses early when the drafts clearly exceed the allowance, before any item is made.
    await judgeAllowance(tx, { ...asked, ...amountOf(drafts) })
    const outcomes = await submitItems({ em: tx, signer }, drafts)
    made = outcomes.flatMap((outcome) => ('item' in outcome ? [outcome.item.draft] : []))
    return outcomes.map((outcome) =>
      'item' in outcome ? { id: outcome.item.id } : { problems: outcome.refusal.problems },
    )
  }
  const take = (tx: EntityManager) => takeAllowance(tx, { ...asked, ...amountOf(made) })
  if (once === undefined)
    return inTransaction(em, async (tx) => {
      const results = await submit(tx)
      await take(tx)
      return results
    })
  const outcome = await onceFor(em, once, async (tx) => JSON.stringify(await submit(tx)), take)
  return stored.parse(JSON.parse(outcome))
}

const amountOf = (drafts: readonly ItemDraft[]): Amount => ({
  items: drafts.length,
  bytes: drafts.reduce((sum, { claimsBytes }) => sum + claimsBytes, 0),
})

const stored: z.ZodType<SubmitResult[]> = z.array(
  z.union([z.object({ id: z.string() }), z.object({ problems: z.array(z.custom<Problem>()) })]),
)
