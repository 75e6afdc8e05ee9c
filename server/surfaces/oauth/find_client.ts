// Finds a client that is not built in, by its id: one that was registered, or one with a document of its own.
import type { EntityManager } from '@mikro-orm/postgresql'
import { findClient } from '../../domain/oauth/client.ts'
import type { ClientDocuments } from './client_document.ts'
import { type ClientMetadata, clientMetadata } from './client_metadata.ts'

/** No id is longer. */
const ID_LENGTH = 2_048

export interface FindClientParts {
  readonly em: () => EntityManager
  readonly documents: ClientDocuments
}

export const findAnyClient =
  ({ em, documents }: FindClientParts) =>
  async (id: string): Promise<ClientMetadata | undefined> => {
    if (id.length > ID_LENGTH || id.includes('\0')) return undefined
    if (id.startsWith('https:')) return documents.find(id)
    const row = await findClient({ em: em() }, id)
    if (row === undefined) return undefined
    const { name, redirect_uris: redirectUris, auth_method: authMethod } = row
    return clientMetadata(row.id, { name, redirectUris, authMethod }, row.secret_hash)
  }
