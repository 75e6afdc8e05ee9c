// Operator commands for accounts.
import { createApiKey } from '../domain/accounts/api_key.ts'
import { createAccount } from '../domain/accounts/create_account.ts'
import { type Plan, planNames } from '../domain/accounts/plan.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Commands, type Options, required, say, text } from './command.ts'

export const USER_COMMANDS: Commands = {
  'user create': {
    usage: '--email <address> [--first-name <name>] [--last-name <name>] [--plan <plan>]',
    meaning: `makes an account with its personal team and one API key (plans: ${planNames.join(', ')})`,
    options: {
      email: { type: 'string' },
      'first-name': { type: 'string' },
      'last-name': { type: 'string' },
      plan: { type: 'string' },
    },
    run: async ({ store }, { email, 'first-name': firstName, 'last-name': lastName, plan }) => {
      const em = store.em()
      const address = required(email, 'email')
      const { userId } = await createAccount(
        { em },
        {
          email: address,
          firstName: text(firstName) ?? '',
          lastName: text(lastName) ?? '',
          plan: planOf(plan),
        },
      )
      const { secret } = await createApiKey({ em }, { userId, name: 'first key' })
      return say(`Account ${address} (${userId}) is there. Its API key, shown once:\n${secret}`)
    },
  },
}

const planOf = (value: Options[string]): Plan => {
  const plan = planNames.find((name) => name === (text(value) ?? 'developer'))
  if (plan === undefined)
    throw refuse('invalid_argument', { detail: `--plan is one of ${planNames.join(', ')}` })
  return plan
}
