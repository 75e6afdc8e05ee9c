// Many submissions in one transaction, and with an Idempotency-Key the same ones only once.
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Problem } from '../../kernel/refusal.ts'
import { onceFor } from '../accounts/idempotency.ts'
import type { ItemDraft } from './item_draft.ts'
import type { Signer } from './signer.ts'
import { submitItems } from './submit_items.ts'

export type SubmitResult = { readonly id: string } | { readonly problems: readonly Problem[] }

export interface OnceRequest {
  readonly userId: string
  readonly key: string
  readonly request: Uint8Array
}

/** One outcome per draft, in order. With `once`, a repeated request gets the first one's ids. @throws idempotency_conflict */
export async function submitOnce(
  { em, signer }: { em: EntityManager; signer: Signer },
  drafts: readonly ItemDraft[],
  once: OnceRequest | undefined,
): Promise<readonly SubmitResult[]> {
  const submit = async (tx: EntityManager): Promise<SubmitResult[]> => {
    const outcomes = await submitItems({ em: tx, signer }, drafts)
    return outcomes.map((outcome) =>
      'item' in outcome ? { id: outcome.item.id } : { problems: outcome.refusal.problems },
    )
  }
  if (once === undefined) return submit(em)
  const outcome = await onceFor({ em }, once, async (tx) => JSON.stringify(await submit(tx)))
  return stored.parse(JSON.parse(outcome))
}

const stored: z.ZodType<SubmitResult[]> = z.array(
  z.union([z.object({ id: z.string() }), z.object({ problems: z.array(z.custom<Problem>()) })]),
)
