// Charges tries to sign in and to sign up.
import type { Attempt, AttemptKind } from '../accounts/attempt.ts'
import type { BudgetName } from './budgets.ts'
import { rateLimited } from './charge.ts'
import type { Limits } from './limits.ts'

const BUDGET_OF = {
  address: 'sign_in_address',
  account: 'sign_in_account',
  sign_up: 'sign_up_address',
} as const satisfies Record<AttemptKind, BudgetName>

export const chargeAttempts =
  ({ charge }: Pick<Limits, 'charge'>): Attempt =>
  async (kind, subject) => {
    const answer = await charge(BUDGET_OF[kind], subject)
    if (!answer.allowed) throw rateLimited(answer)
  }
