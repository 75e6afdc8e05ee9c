// The console: the one client that is built in. It asks nobody for consent, and its tokens end with the session.
import { FIRST_PARTY_CLIENT, FIRST_PARTY_NAME } from '../../domain/accounts/scope.ts'
import { type ClientMetadata, clientMetadata } from './client_metadata.ts'

export const ownClient = (base: string): ClientMetadata => ({
  ...clientMetadata(FIRST_PARTY_CLIENT, {
    name: FIRST_PARTY_NAME,
    redirectUris: [`${base}/signed-in`],
    authMethod: 'none',
  }),
  // Its address is exact, whatever the host.
  application_type: 'web',
})
