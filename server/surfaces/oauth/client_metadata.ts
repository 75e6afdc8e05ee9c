// A client in the form that the library knows clients in.
import type { AuthMethod } from '../../domain/oauth/client.ts'
import type { DescribedClient } from '../../domain/oauth/described_client.ts'

/** A type, because the library takes it for a record. */
export type ClientMetadata = {
  readonly client_id: string
  readonly client_name: string
  readonly redirect_uris: string[]
  readonly token_endpoint_auth_method: AuthMethod
  /** Not the secret, but its SHA-256 in base64url. */
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  readonly application_type: 'native' | 'web'
  readonly grant_types: ('authorization_code' | 'refresh_token')[]
  readonly response_types: 'code'[]
}

export const clientMetadata = (
  id: string,
  { name, redirectUris, authMethod }: DescribedClient,
  secretHash: Uint8Array | null = null,
): ClientMetadata => ({
  client_id: id,
  client_name: name,
  redirect_uris: [...redirectUris],
  token_endpoint_auth_method: authMethod,
  ...(secretHash === null
    ? {}
    : { client_secret: Buffer.from(secretHash).toString('base64url'), client_secret_expires_at: 0 }),
  // Native clients may use loopback addresses with any port, and private schemes, beside https.
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})
