// What a refused credential is told in WWW-Authenticate (RFC 6750 section 3, RFC 9728 section 5.1).
import type { Resource, Scope } from '../../domain/accounts/scope.ts'

/** Where the metadata of each resource is (RFC 9728 section 3.1). */
const RESOURCE_METADATA: Readonly<Record<Resource, string>> = {
  api: '/.well-known/oauth-protected-resource',
  mcp: '/.well-known/oauth-protected-resource/mcp',
}

/** What clients should ask for first. They ask for more when they are refused. */
const FIRST_SCOPES: Partial<Record<Resource, Scope>> = { mcp: 'mcp:read' }

/** A resource and the public origin that it has. */
export interface Guarded {
  readonly resource: Resource
  readonly base: () => string
}

const metadataOf = ({ resource, base }: Guarded): string =>
  `resource_metadata="${base()}${RESOURCE_METADATA[resource]}"`

/** Of a 401. @param sent whether there was a token; then it is called invalid, whatever is wrong with it */
export function credentialChallenge(guarded: Guarded, sent: boolean): string {
  const scope = FIRST_SCOPES[guarded.resource]
  return `Bearer ${metadataOf(guarded)}${scope === undefined ? '' : `, scope="${scope}"`}${sent ? ', error="invalid_token"' : ''}`
}

/** Of a 403. */
export const scopeChallenge = (guarded: Guarded, scopes: readonly Scope[]): string =>
  `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadataOf(guarded)}`
