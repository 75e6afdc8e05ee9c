// The answer to a charge, the refusal for one that is not allowed, and what tries to sign in and to sign up are charged.
import { createHash } from 'node:crypto'
import { networkKey } from '../../kernel/addresses.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import type { Attempts } from '../accounts/sign_in.ts'
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

/**
 * Nobody is locked out by the wrong passwords of strangers. So no budget that strangers can spend decides alone:
 *
 * - A browser that signed in to the account before has a budget of its own, and no other one counts for it.
 * - For other browsers the budget of the account is what anybody may try. Once it is spent, each network has a few tries
 *   a minute of its own, which no other network can spend. An owner at a new browser and a new address signs in at once,
 *   and after three mistakes every 20 seconds, however many guess at the same time.
 *
 * What remains for whoever guesses one password from N networks: 30 + 3 N tries a minute, and 20 from each address. With
 * one address that is 20 a minute, with ten 60, with a thousand 3,030, or 4.4 million a day, if the servers hash so many.
 * A password has at least twelve characters and is none of the common ones. Whoever shares the owner's network can still
 * spend its tries, and those of a shared address; a browser that is known passes even there.
 */
export function countAttempts({ charge }: { readonly charge: ChargeBudget }): Attempts {
  const require = (budget: BudgetName, subject: string) => requireBudget(charge, budget, subject)
  return Object.freeze({
    signIn: async ({ email, address, device }) => {
      if (device !== undefined) return require('sign_in_known', device)
      await require('sign_in_address', address)
      const account = accountSubject(email)
      const { allowed } = await charge('sign_in_account', account)
      if (!allowed) await require('sign_in_network', `${account} ${networkKey(address)}`)
    },
    signUp: (address) => require('sign_up_address', address),
    wrongLink: (address) => require('sign_in_address', address),
    changePassword: (userId) => require('sign_in_known', userId),
  } satisfies Attempts)
}

/** What counts tries of an account: the hash of the address that was typed, so that no table keeps typed addresses. */
const accountSubject = (email: string): string =>
  createHash('sha256').update(email.toLowerCase()).digest('base64url')
