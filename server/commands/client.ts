// Operator commands for OAuth clients that ship with a fixed id.
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
import { type Commands, givenText, type Options, required, say } from './command.ts'

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
    run: async ({ store, log }, { id: given, name, redirect, auth }) => {
      const id = required(given, 'id').toLowerCase()
      if (!UUID.test(id)) throw refuse('invalid_argument', { detail: '--id is a UUID' })
      const described = readClient({ name: required(name, 'name'), redirect, auth: givenText(auth) })
      const made = described.authMethod === 'none' ? undefined : newClientSecret()
      await saveClient(store.em(), { id, ...described, secretHash: made?.hash ?? null }).catch(
        (error: unknown) => {
          throw isDuplicate(error)
            ? refuse('invalid_argument', { detail: 'there is a client with this id' })
            : error
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
    run: async ({ store, log }, { id: given }) => {
      const id = required(given, 'id')
      if (!(await revokeClient(store.em(), id)))
        throw refuse('not_found', { detail: 'there is no such client, and nobody allowed it anything' })
      log.info({ client_id: id }, 'oauth.client_revoked')
      return say(`Client ${id} is revoked, with all that it was allowed.`)
    },
  },
}

function readClient({
  name,
  redirect,
  auth,
}: {
  name: string
  redirect: Options[string]
  auth: string | undefined
}) {
  try {
    return describedClient({
      client_name: name,
      redirect_uris: redirect ?? [],
      ...(auth === undefined ? {} : { token_endpoint_auth_method: auth }),
    })
  } catch (error) {
    throw error instanceof InvalidClientMetadata
      ? refuse('invalid_argument', { detail: error.message })
      : error
  }
}
