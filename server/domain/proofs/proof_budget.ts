// Charges proof work to the account's budget, and then to the budget that all accounts and servers share.
import { type BudgetName, FLEET } from '../limits/budgets.ts'
import { rateLimited } from '../limits/charge.ts'
import type { Limits } from '../limits/limits.ts'

export type ChargeBudget = Limits['charge']

/**
 * Call it after the arguments are checked, so that a request with wrong arguments costs nothing.
 * @throws rate_limited
 */
export async function chargeGeneration(charge: ChargeBudget, userId: string): Promise<void> {
  await require(charge, 'proof_generate', userId)
  await require(charge, 'proof_generate_fleet', FLEET)
}

/**
 * Call it before the bundle is read, because reading is work even when the text is not a bundle.
 * @throws rate_limited
 */
export const chargeVerification = (charge: ChargeBudget, userId: string): Promise<void> =>
  require(charge, 'proof_verify', userId)

/**
 * Call it only for a verification that asks a public chain or source.
 * @throws rate_limited
 */
export const chargeLookups = (charge: ChargeBudget): Promise<void> =>
  require(charge, 'proof_verify_external_fleet', FLEET)

async function require(charge: ChargeBudget, budget: BudgetName, subject: string): Promise<void> {
  const answer = await charge(budget, subject)
  if (!answer.allowed) throw rateLimited(answer)
}
