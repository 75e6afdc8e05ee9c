// What clients can find out by themselves: RFC 8414 of the authorization server, RFC 9728 of both resources.
import type { Resource } from '../../domain/accounts/scope.ts'
import { AUTH_METHODS } from '../../domain/oauth/client.ts'
import { RESPONSE_MODE } from './authorization_request.ts'
import { ROUTES } from './create_provider.ts'
import { resourceAddress, scopesFor } from './resources.ts'

const REGISTRATION_PATH = '/oauth/register'

/** A client of nobody in particular: the scopes of our own console are not for others, so they are not published. */
const ANYBODY = ''

const authorizationServer = (base: string): object => ({
  issuer: base,
  authorization_endpoint: `${base}${ROUTES.authorization}`,
  token_endpoint: `${base}${ROUTES.token}`,
  registration_endpoint: `${base}${REGISTRATION_PATH}`,
  revocation_endpoint: `${base}${ROUTES.revocation}`,
  scopes_supported: [...scopesFor('api', ANYBODY), ...scopesFor('mcp', ANYBODY)],
  response_types_supported: ['code'],
  response_modes_supported: [RESPONSE_MODE],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resourceAddress(base, 'api'), resourceAddress(base, 'mcp')],
  service_documentation: `${base}/api/json/redoc`,
})

const protectedResource = (base: string, resource: Resource, name: string): object => ({
  resource: resourceAddress(base, resource),
  authorization_servers: [base],
  scopes_supported: scopesFor(resource, ANYBODY),
  bearer_methods_supported: ['header'],
  resource_name: name,
})

/** Each document by its path. */
export const metadataDocuments = (base: string): ReadonlyMap<string, object> =>
  new Map([
    ['/.well-known/oauth-authorization-server', authorizationServer(base)],
    ['/.well-known/oauth-protected-resource', protectedResource(base, 'api', 'Pharos')],
    ['/.well-known/oauth-protected-resource/mcp', protectedResource(base, 'mcp', 'Pharos agent tools')],
  ])
