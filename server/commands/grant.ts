// Operator commands for what people allowed OAuth clients.
import { accountByEmail } from '../domain/accounts/user.ts'
import { deleteGrant, listGrants } from '../domain/oauth/grant.ts'
import { refuse } from '../kernel/refusal.ts'
import { type Commands, required, say } from './command.ts'

/** Grants of one list. */
const LISTED = 250

export const GRANT_COMMANDS: Commands = {
  'grant list': {
    usage: '--email <address>',
    meaning: `lists what a person allowed OAuth clients, the newest first, at most ${LISTED}`,
    options: { email: { type: 'string' } },
    run: async ({ store }, values) => {
      const em = store.em()
      const { id: userId, email: address } = await accountByEmail(em, required(values, 'email'))
      const grants = await listGrants(em, { userId, limit: LISTED })
      for (const { id, client_id, client_name, redirect_host, scopes, inserted_at, last_used_at } of grants)
        say(
          [
            `${id}  ${client_name || client_id}  ${redirect_host}  ${scopes.join(' ')}`,
            `since ${inserted_at.toISOString()}`,
            last_used_at === null ? 'never used' : `used ${last_used_at.toISOString()}`,
          ].join('  '),
        )
      return grants.length === 0 ? say(`${address} allowed no client anything.`) : 0
    },
  },
  'grant revoke': {
    usage: '--id <id>',
    meaning: 'takes back what a person allowed a client: its codes and tokens end within a minute',
    options: { id: { type: 'string' } },
    run: async ({ store, log }, values) => {
      const id = required(values, 'id')
      if (!(await deleteGrant(store.em(), id)))
        throw refuse('not_found', { detail: 'there is no such grant' })
      log.info({ grant_id: id }, 'oauth.grant_revoked')
      return say(`Grant ${id} is revoked.`)
    },
  },
}
