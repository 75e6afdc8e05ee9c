// Operator commands for OAuth clients that ship with a fixed id, and for what people allowed clients.
import { textOption, textOptions, type Values } from '../../shared/cli/command.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import { accountByEmail } from '../domain/accounts/user.ts'
import {
  AUTH_METHODS,
  listClients,
  newClientSecret,
  revokeClient,
  saveClient,
} from '../domain/oauth/client.ts'
import { describedClient, InvalidClientMetadata } from '../domain/oauth/described_client.ts'
import { deleteGrant, listGrants } from '../domain/oauth/grant.ts'
import { refuse } from '../kernel/refusal.ts'
import { isDuplicate } from '../store/database_errors.ts'
import { type Commands, OF_ACCOUNT, required, say } from './command.ts'

/** Clients, or grants, of one list. */
const LISTED = 250

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const OAUTH_COMMANDS: Commands = {
  'client create': {
    usage: '--id <uuid> --name <name> --redirect <address> … [--auth <method>]',
    meaning: `registers an OAuth client that ships with a fixed id, for good; public unless --auth is one of ${AUTH_METHODS.slice(1).join(', ')}; repeat --redirect for each address`,
    options: {
      id: { takes: '<uuid>', meaning: 'that the client ships with' },
      name: { takes: '<name>', meaning: 'that people are asked about' },
      redirect: {
        takes: '<address>',
        multiple: true,
        meaning: 'where people may be sent back to; may be repeated',
      },
      auth: { takes: AUTH_METHODS.join('|'), meaning: 'how it shows who it is' },
    },
    run: async ({ store, log }, values) => {
      const id = required(values, 'id').toLowerCase()
      if (!UUID.test(id)) throw new Complaint('--id is a UUID.')
      const described = readClient(values)
      const made = described.authMethod === 'none' ? undefined : newClientSecret()
      await saveClient(store.em(), { id, ...described, secretHash: made?.hash ?? null }).catch(
        (error: unknown) => {
          throw isDuplicate(error) ? new Complaint('There is a client with this id.') : error
        },
      )
      log.info({ client_id: id, redirect_uris: described.redirectUris }, 'oauth.registered')
      say(`Client ${id} (${described.name}) is registered.`)
      return made === undefined ? 0 : say('Its secret, shown once:', made.secret)
    },
  },
  'client list': {
    usage: '',
    meaning: `lists the newest OAuth clients, at most ${LISTED}: those of operators and those that registered themselves`,
    options: {},
    run: async ({ store }) => {
      const clients = await listClients(store.em(), LISTED)
      for (const { id, name, registered_by, auth_method, redirect_uris } of clients)
        say(`${id}  ${name}  by ${registered_by}  ${auth_method}  ${redirect_uris.join(' ')}`)
      return clients.length === 0 ? say('No client is registered.') : 0
    },
  },
  'client revoke': {
    usage: '--id <id>',
    meaning:
      'deletes an OAuth client and ends everything that people allowed it, within a minute; the id may also be the address of a client’s own document',
    options: {
      id: { takes: '<id>', meaning: 'of the client, as "client list" shows it' },
    },
    run: async ({ store, log }, values) => {
      const id = required(values, 'id')
      if (!(await revokeClient(store.em(), id)))
        throw refuse('not_found', { detail: 'there is no such client, and nobody allowed it anything' })
      log.info({ client_id: id }, 'oauth.client_revoked')
      return say(`Client ${id} is revoked, with all that it was allowed.`)
    },
  },
  'grant list': {
    usage: '--email <address>',
    meaning: `lists what a person allowed OAuth clients, the newest first, at most ${LISTED}`,
    options: OF_ACCOUNT,
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
    options: {
      id: { takes: '<id>', meaning: 'of the grant, as "grant list" shows it' },
    },
    run: async ({ store, log }, values) => {
      const id = required(values, 'id')
      if (!(await deleteGrant(store.em(), id)))
        throw refuse('not_found', { detail: 'there is no such grant' })
      log.info({ grant_id: id }, 'oauth.grant_revoked')
      return say(`Grant ${id} is revoked.`)
    },
  },
}

function readClient(values: Values) {
  const client_name = required(values, 'name')
  const auth = textOption(values, 'auth')
  try {
    return describedClient({
      client_name,
      redirect_uris: textOptions(values, 'redirect'),
      ...(auth === undefined ? {} : { token_endpoint_auth_method: auth }),
    })
  } catch (error) {
    throw error instanceof InvalidClientMetadata ? new Complaint(error.message) : error
  }
}
