// Tells of every charge that a budget refuses, for monitoring.
import type { BudgetName } from './budgets.ts'
import type { Charge } from './charge.ts'
import type { Limits } from './limits.ts'

/** The same budgets. `onRefused` is called once for each refused charge. */
export function countRefusals(limits: Limits, onRefused: (budget: BudgetName) => void): Limits {
  const noted = (budget: BudgetName, answer: Charge): Charge => {
    if (!answer.allowed) onRefused(budget)
    return answer
  }
  return Object.freeze({
    ...limits,
    charge: (budget: BudgetName, subject: string, cost?: number) => {
      const answer = limits.charge(budget, subject, cost)
      return answer instanceof Promise
        ? answer.then((charge) => noted(budget, charge))
        : noted(budget, answer)
    },
  })
}
