// One per server: submissions that come together share a query, a statement and a commit.
import type { EntityManager } from '@mikro-orm/postgresql'
import { gather } from '../../kernel/gather.ts'
import { refuse } from '../../kernel/refusal.ts'
import { isDatabaseHeldUp } from '../../store/database_faults.ts'
import type { ItemDraft } from './item_draft.ts'
import type { Signer } from './signer.ts'
import { type SubmittedItem, submitItems } from './submit_items.ts'

/** One group at a time, as large as what came while the last one was on its way to the disk: measured best on two cores. */
const GROUPS = { max: 128, lanes: 1, ceiling: 4_096 } as const

export interface Submitter {
  /** Settles once the item is durable, or refused; neighbours in its group cannot make it fail. */
  readonly submit: (draft: ItemDraft) => Promise<SubmittedItem>
}

export function createSubmitter({ em, signer }: { em: () => EntityManager; signer: Signer }): Submitter {
  const submit = gather<ItemDraft, SubmittedItem>(
    async (drafts) => {
      const outcomes = await submitItems({ em: em(), signer }, drafts)
      return outcomes.map((outcome) =>
        'item' in outcome ? { value: outcome.item } : { error: outcome.refusal },
      )
    },
    {
      ...GROUPS,
      full: () => refuse('database_unavailable', { detail: 'too many submissions wait for the database' }),
    },
    isDatabaseHeldUp,
  )
  return Object.freeze({ submit })
}
