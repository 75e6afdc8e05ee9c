// Finds a client that is not built in, by its id: one that was registered.
import type { EntityManager } from '@mikro-orm/postgresql'
import { findClient } from '../../domain/oauth/client.ts'
import { type ClientMetadata, clientMetadata } from './client_metadata.ts'

/** No id is longer. A client's own document is at an address of at most as many characters. */
const ID_LENGTH = 2_048

export const registeredClient =
  ({ em }: { em: () => EntityManager }) =>
  async (id: string): Promise<ClientMetadata | undefined> => {
    if (id.length > ID_LENGTH || id.includes('\0')) return undefined
    const row = await findClient({ em: em() }, id)
    if (row === undefined) return undefined
    const { name, redirect_uris: redirectUris, auth_method: authMethod } = row
    return clientMetadata(row.id, { name, redirectUris, authMethod }, row.secret_hash)
  }
