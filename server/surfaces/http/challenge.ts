// What a refused credential is told in WWW-Authenticate (RFC 6750 section 3, RFC 9728 section 5.1).
import type { Resource, Scope } from '../../domain/accounts/scope.ts'

/** Where the metadata of each resource is (RFC 9728 section 3.1). */
const RESOURCE_METADATA: Readonly<Record<Resource, string>> = {
  api: '/.well-known/oauth-protected-resource',
  mcp: '/.well-known/oauth-protected-resource/mcp',
}

/** A resource and the public origin that it has. */
export interface Guarded {
  readonly resource: Resource
  readonly base: () => string
}

const metadataOf = ({ resource, base }: Guarded): string =>
  `resource_metadata="${base()}${RESOURCE_METADATA[resource]}"`

/**
 * Of a 401. It names no scope, so that clients ask for all that the metadata names and the person decides: many cannot
 * ask for more later, because they refresh what they have instead.
 * @param sent whether there was a token; then it is called invalid, whatever is wrong with it
 */
export const credentialChallenge = (guarded: Guarded, sent: boolean): string =>
  `Bearer ${metadataOf(guarded)}${sent ? ', error="invalid_token"' : ''}`

/** Of a 403. */
export const scopeChallenge = (guarded: Guarded, scopes: readonly Scope[]): string =>
  `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadataOf(guarded)}`
