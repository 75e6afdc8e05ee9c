// Operator commands for OAuth clients that ship with a fixed id.
import { textOption, textOptions, type Values } from '../../shared/cli/command.ts'
import { Complaint } from '../../shared/cli/terminal.ts'
import {
  AUTH_METHODS,
  listClients,
  newClientSecret,
  revokeClient,
  saveClient,
} from '../domain/oauth/client.ts'
import { describedClient, InvalidClientMetadata } from '../domain/oauth/described_client.ts'
import { refuse } from '../kernel/refusal.ts'
import { isDuplicate } from '../store/database_errors.ts'
import { type Commands, required, say } from './command.ts'

/** Clients of one list. */
const LISTED = 250

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const CLIENT_COMMANDS: Commands = {
  'client create': {
    usage: '--id <uuid> --name <name> --redirect <address> … [--auth <method>]',
    meaning: `registers an OAuth client that ships with a fixed id, for good; public unless --auth is one of ${AUTH_METHODS.slice(1).join(', ')}; repeat --redirect for each address`,
    options: {
      id: { type: 'string' },
      name: { type: 'string' },
      redirect: { type: 'string', multiple: true },
      auth: { type: 'string' },
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
    options: { id: { type: 'string' } },
    run: async ({ store, log }, values) => {
      const id = required(values, 'id')
      if (!(await revokeClient(store.em(), id)))
        throw refuse('not_found', { detail: 'there is no such client, and nobody allowed it anything' })
      log.info({ client_id: id }, 'oauth.client_revoked')
      return say(`Client ${id} is revoked, with all that it was allowed.`)
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
