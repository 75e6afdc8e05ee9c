// Operator commands for accounts.
import { sql } from 'kysely'
import { textOption, type Values } from '../../shared/cli/command.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { createAccount } from '../domain/accounts/account_door.ts'
import { createApiKey } from '../domain/accounts/api_key.ts'
import { makePasswordReset, withdrawPasswordReset } from '../domain/accounts/new_password.ts'
import { ONE_TIME_LINKS, oneTimeLink } from '../domain/accounts/one_time_link.ts'
import { type Plan, planNames } from '../domain/accounts/plan.ts'
import { accountByEmail, disableAccount, enableAccount } from '../domain/accounts/user.ts'
import { disableEndpointsOf } from '../domain/webhooks/endpoints/endpoint.ts'
import { bool, text as textColumn } from '../store/columns.ts'
import { rows, statement } from '../store/statement.ts'
import { type Commands, OF_ACCOUNT, required, say } from './command.ts'

/** Accounts of one list. */
const LISTED = 250

export const USER_COMMANDS: Commands = {
  'user create': {
    usage: '--email <address> [--first-name <name>] [--last-name <name>] [--plan <plan>]',
    meaning: `makes an account with its personal team and one API key (plans: ${planNames.join(', ')})`,
    options: {
      ...OF_ACCOUNT,
      'first-name': { takes: '<name>', meaning: 'of the person' },
      'last-name': { takes: '<name>', meaning: 'of the person' },
      plan: { takes: planNames.join('|'), meaning: 'what the account may use: developer' },
    },
    run: async ({ store }, values) => {
      const em = store.em()
      const address = required(values, 'email')
      const { userId } = await createAccount(em, {
        email: address,
        firstName: textOption(values, 'first-name') ?? '',
        lastName: textOption(values, 'last-name') ?? '',
        plan: planOf(values),
      })
      const { secret } = await createApiKey(em, { userId, name: 'first key' })
      return say(`Account ${address} (${userId}) is there. Its API key, shown once:`, secret)
    },
  },
  'user list': {
    usage: '[--after <id>]',
    meaning: `lists accounts, the oldest first, ${LISTED} at a time`,
    options: {
      after: { takes: '<id>', meaning: 'the last account of the list before' },
    },
    run: async ({ store }, values) => {
      const users = await rows(store.em(), LIST({ after: textOption(values, 'after') ?? '' }))
      for (const { id, email, plan, is_disabled, has_password } of users)
        say(
          `${id}  ${email}  ${plan}${is_disabled ? '  disabled' : ''}${has_password ? '' : '  without a password'}`,
        )
      const last = users.at(-1)
      if (last === undefined) return say('There are no more accounts.')
      return users.length < LISTED ? 0 : say(`More: npm run pharos -- user list --after ${last.id}`)
    },
  },
  'user reset-password': {
    usage: '--email <address> [--withdraw]',
    meaning: `makes a link with which the person chooses a password, once and within ${ONE_TIME_LINKS.password_reset.validHours} hours; an older link stops working, and --withdraw only does that`,
    options: {
      ...OF_ACCOUNT,
      withdraw: { meaning: 'only makes an older link stop working' },
    },
    run: async ({ store, base, log }, values) => {
      const em = store.em()
      const { id, email: address } = await accountByEmail(em, required(values, 'email'))
      if (values.withdraw === true) {
        const was = await withdrawPasswordReset(em, id)
        return say(was ? `The link of ${address} works no more.` : `There is no link of ${address}.`)
      }
      const token = await makePasswordReset(em, id)
      log.info({ user_id: id }, 'account.password_reset_made')
      return say(
        `Give this to the person who owns ${address}, and to nobody else. It works once and is shown once:`,
        oneTimeLink(base, 'password_reset', token),
      )
    },
  },
  'user disable': {
    usage: '--email <address>',
    meaning:
      'ends every session, grant and token of an account within a minute, lets nothing of it in, API keys included, and switches its webhook endpoints off',
    options: OF_ACCOUNT,
    run: async ({ store, log }, values) => {
      const em = store.em()
      const { id, email: address } = await accountByEmail(em, required(values, 'email'))
      const changed = await disableAccount(em, id)
      const endpoints = await disableEndpointsOf(em, id)
      log.info({ user_id: id, webhook_endpoints: endpoints }, 'account.disabled')
      return say(
        `Account ${address} ${changed ? 'is disabled' : 'was disabled already'}; webhook endpoints switched off: ${endpoints}.`,
      )
    },
  },
  'user enable': {
    usage: '--email <address>',
    meaning:
      'lets a disabled account in again: its API keys work, its person signs in anew and switches webhook endpoints on',
    options: OF_ACCOUNT,
    run: async ({ store, log }, values) => {
      const em = store.em()
      const { id, email: address } = await accountByEmail(em, required(values, 'email'))
      const changed = await enableAccount(em, id)
      log.info({ user_id: id }, 'account.enabled')
      return say(changed ? `Account ${address} is enabled.` : `Account ${address} was not disabled.`)
    },
  },
}

const LIST = statement(
  { id: textColumn, email: textColumn, plan: textColumn, is_disabled: bool, has_password: bool },
  ({ after }: { after: string }) => sql`
  SELECT u.id, u.email, u.plan, u.disabled_at IS NOT NULL AS is_disabled, p.user_id IS NOT NULL AS has_password
    FROM users u LEFT JOIN passwords p ON p.user_id = u.id
   WHERE u.id > ${after} AND u.email IS NOT NULL ORDER BY u.id LIMIT ${sql.lit(LISTED)}`,
)

const planOf = (values: Values): Plan => {
  const plan = planNames.find((name) => name === (textOption(values, 'plan') ?? 'developer'))
  if (plan === undefined) throw new Complaint(`--plan is one of ${planNames.join(', ')}.`)
  return plan
}
