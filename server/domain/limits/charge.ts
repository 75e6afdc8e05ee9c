// The answer to a charge, and the refusal for a charge that is not allowed.
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { BudgetName } from './budgets.ts'

/** e.g. `{ budget: 'jsonapi_caller', allowed: false, limit: 120, remaining: 0, retryAfterMs: 487 }` */
export interface Charge {
  readonly budget: BudgetName
  readonly allowed: boolean
  /** Per minute. */
  readonly limit: number
  /** What is left of the budget as far as this server has been informed, in whole requests. */
  readonly remaining: number
  /** Milliseconds until the same charge fits. 0 when it was allowed. */
  readonly retryAfterMs: number
}

export const rateLimited = ({ limit, retryAfterMs }: Charge): Refusal =>
  refuse('rate_limited', { meta: { retry_after_ms: retryAfterMs, limit } })

export type ChargeBudget = (budget: BudgetName, subject: string, cost?: number) => AtOnce<Charge>

/** @throws rate_limited */
export async function requireBudget(
  charge: ChargeBudget,
  budget: BudgetName,
  subject: string,
): Promise<void> {
  const answer = await charge(budget, subject)
  if (!answer.allowed) throw rateLimited(answer)
}
