// Many submissions in one transaction, and with an Idempotency-Key the same ones only once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Problem } from '../../kernel/refusal.ts'
import type { Allowances, Amount } from '../accounts/daily_allowance.ts'
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
 * day's allowance. @throws idempotency_conflict, plan_limit for all of them together
 */
export async function submitOnce(
  { em, signer, allowances }: { em: EntityManager; signer: Signer; allowances: Allowances },
  { userId, plan }: Submitting,
  drafts: readonly ItemDraft[],
  once: OnceRequest | undefined,
): Promise<readonly SubmitResult[]> {
  const [allowed] = await allowances.take([{ creatorId: userId, plan, ...amountOf(drafts) }])
  if (allowed === undefined) throw new Error('An allowance was not answered.')
  let used = NOTHING
  const submit = async (tx: EntityManager): Promise<SubmitResult[]> => {
    if ('refusal' in allowed) throw allowed.refusal
    const outcomes = await submitItems({ em: tx, signer }, drafts)
    used = amountOf(outcomes.flatMap((outcome) => ('item' in outcome ? [outcome.item.draft] : [])))
    return outcomes.map((outcome) =>
      'item' in outcome ? { id: outcome.item.id } : { problems: outcome.refusal.problems },
    )
  }
  const giveBackBut = async (kept: Amount): Promise<void> => {
    if (!('taken' in allowed)) return
    const { items, bytes } = allowed.taken
    await allowances.giveBack([
      { ...allowed, taken: { items: items - kept.items, bytes: bytes - kept.bytes } },
    ])
  }
  try {
    const results = once === undefined ? await submit(em) : await repeatable(em, once, submit)
    // All of it, when the request had been done before.
    await giveBackBut(used)
    return results
  } catch (error) {
    // Nobody is kept waiting for it: the database may have just failed.
    void giveBackBut(NOTHING)
    throw error
  }
}

const repeatable = async (
  em: EntityManager,
  once: OnceRequest,
  submit: (tx: EntityManager) => Promise<SubmitResult[]>,
): Promise<SubmitResult[]> => {
  const outcome = await onceFor({ em }, once, async (tx) => JSON.stringify(await submit(tx)))
  return stored.parse(JSON.parse(outcome))
}

const NOTHING: Amount = { items: 0, bytes: 0 }

const amountOf = (drafts: readonly ItemDraft[]): Amount => ({
  items: drafts.length,
  bytes: drafts.reduce((sum, { claims }) => sum + Buffer.byteLength(claims), 0),
})

const stored: z.ZodType<SubmitResult[]> = z.array(
  z.union([z.object({ id: z.string() }), z.object({ problems: z.array(z.custom<Problem>()) })]),
)
