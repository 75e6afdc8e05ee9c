// What a proof costs: the account's budget first, then what all accounts and servers share.
import { type BudgetName, FLEET } from '../limits/budgets.ts'
import { rateLimited } from '../limits/charge.ts'
import type { Limits } from '../limits/limits.ts'

export type ChargeBudget = Limits['charge']

/** A request that is refused for its arguments costs nothing; one that is looked up does. @throws rate_limited */
export async function chargeGeneration(charge: ChargeBudget, userId: string): Promise<void> {
  await require(charge, 'proof_generate', userId)
  await require(charge, 'proof_generate_fleet', FLEET)
}

/** Reading a bundle is work already, so also one that turns out to be none is charged. @throws rate_limited */
export const chargeVerification = (charge: ChargeBudget, userId: string): Promise<void> =>
  require(charge, 'proof_verify', userId)

/** For a verification that does ask a public chain or source. @throws rate_limited */
export const chargeLookups = (charge: ChargeBudget): Promise<void> =>
  require(charge, 'proof_verify_external_fleet', FLEET)

async function require(charge: ChargeBudget, budget: BudgetName, subject: string): Promise<void> {
  const answer = await charge(budget, subject)
  if (!answer.allowed) throw rateLimited(answer)
}
