// Groups the single submissions of one server, so that those which arrive together share a query, a statement and a
// commit; and records many of one submitter in one transaction. Such batches take turns on few connections, so single
// items wait for a batch or two at most.
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { fairGate } from '../../kernel/flow/fair_gate.ts'
import { gather, type Settled } from '../../kernel/flow/gather.ts'
import { type Problem, refuse } from '../../kernel/refusal.ts'
import { step } from '../../kernel/step.ts'
import { isDatabaseHeldUp } from '../../store/database_errors.ts'
import { isKeyChanged } from '../../store/seal.ts'
import { inTransaction } from '../../store/statement.ts'
import {
  type Allowance,
  type Allowances,
  type Amount,
  judgeAllowance,
  takeAllowance,
} from '../accounts/daily_allowance.ts'
import { onceFor } from '../accounts/idempotency.ts'
import type { Plan } from '../accounts/plan.ts'
import type { ItemDraft } from './item.ts'
import type { Signer } from './signing_key.ts'
import { type SubmittedItem, submitItems } from './submit_items.ts'

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
  const submitter = { creatorId: userId, plan }
  let made: readonly ItemDraft[] = []
  const submit = async (tx: EntityManager): Promise<SubmitResult[]> => {
    // Refuses early when the drafts clearly exceed the allowance, before any item is made.
    await judgeAllowance(tx, { ...submitter, ...amountOf(drafts) })
    const outcomes = await submitItems({ em: tx, signer }, drafts)
    made = outcomes.flatMap((outcome) => ('item' in outcome ? [outcome.item.draft] : []))
    return outcomes.map((outcome) =>
      'item' in outcome ? { id: outcome.item.id } : { problems: outcome.refusal.problems },
    )
  }
  const take = (tx: EntityManager) => takeAllowance(tx, { ...submitter, ...amountOf(made) })
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

/**
 * While groups are written to disk, the next one is prepared and sent; PostgreSQL writes those that wait in one go.
 * `heaviest` are bytes of claims: a group of large claims would hold its neighbours for the time that megabytes take.
 */
export const GROUPS = {
  max: 128,
  lanes: 4,
  ceiling: 4_096,
  ceilingOfKey: 2_048,
  heaviest: 1_048_576,
} as const

interface SubmitterParts {
  readonly em: () => EntityManager
  readonly signer: Signer
  readonly allowances: Allowances
  /** Called with the number of items of each group, for the metrics. */
  readonly onGroup?: (items: number) => void
}

interface Waiting {
  readonly draft: ItemDraft
  readonly plan: Plan
}

export function createSubmitter(parts: SubmitterParts) {
  const submit = gather<Waiting, SubmittedItem>(
    (waiting, onSent) => {
      parts.onGroup?.(waiting.length)
      return step('submit', () => submitGroup(parts, waiting, onSent), {
        describe: () => ({ facts: { 'pharos.items': waiting.length } }),
      })
    },
    {
      ...GROUPS,
      full: () => refuse('database_unavailable', { detail: 'too many submissions wait for the database' }),
      keyOf: ({ draft }) => draft.creatorId,
      weigh: ({ draft }) => draft.claimsBytes,
      isWhole: (error) => isDatabaseHeldUp(error) || isKeyChanged(error),
    },
  )
  return Object.freeze({
    /**
     * Resolves when the item is durable. An error of another item in the same group does not affect it.
     * @throws plan_limit, master_key_changed, and the refusal of the draft
     */
    submit: (draft: ItemDraft, plan: Plan): Promise<SubmittedItem> => submit({ draft, plan }),
  })
}

async function submitGroup(
  { em, signer, allowances }: SubmitterParts,
  waiting: readonly Waiting[],
  onSent: () => void,
): Promise<Settled<SubmittedItem>[]> {
  const allowed = await allowances.take(
    waiting.map(({ draft, plan }) => ({
      creatorId: draft.creatorId,
      plan,
      items: 1,
      bytes: draft.claimsBytes,
    })),
  )
  const admitted = waiting.filter((_, index) => 'taken' in (allowed[index] ?? {}))
  const drafts = admitted.map(({ draft }) => draft)
  const made = admitted.length === 0 ? [] : submitItems({ em: em(), signer, onSent }, drafts)
  const outcomes = await Promise.resolve(made).catch((error: unknown) => {
    // Not awaited, because the database has just failed and the callers should get the error now.
    void allowances.giveBack(allowed.flatMap((one) => ('taken' in one ? [one] : [])))
    throw error
  })
  const unused: Allowance[] = []
  const settled = allowed.map((allowance): Settled<SubmittedItem> => {
    if ('refusal' in allowance) return { error: allowance.refusal }
    const outcome = outcomes.shift()
    if (outcome === undefined) throw new Error('A submission has no outcome.')
    if ('item' in outcome) return { value: outcome.item }
    unused.push(allowance)
    return { error: outcome.refusal }
  })
  if (unused.length > 0) await allowances.giveBack(unused)
  return settled
}

/** One batch is prepared while another is written to disk. */
const LEAST_AT_ONCE = 2

/** Milliseconds that a batch waits for its turn at most. */
const PATIENCE_MS = 6_000

const WAITING = { ofSubmitter: 128, inAll: 1_024 } as const

/** @param connections those that submissions have in all */
export function openBatchTurns(connections: number) {
  const atOnce = Math.max(LEAST_AT_ONCE, connections - GROUPS.lanes)
  const held = () => refuse('database_unavailable', { detail: 'too many batches wait for the database' })
  const gate = fairGate({
    total: atOnce,
    perKey: atOnce,
    waitingPerKey: WAITING.ofSubmitter,
    waiting: WAITING.inAll,
    full: held,
    late: held,
  })
  return Object.freeze({
    /** Runs the work in its turn. @throws database_unavailable when too many wait, or the turn did not come in time */
    run: async <T>(submitterId: string, work: () => Promise<T>): Promise<T> => {
      const leave = await gate.enter(submitterId, PATIENCE_MS)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  })
}
