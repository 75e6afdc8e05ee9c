// What a credential may do (RFC 6749 section 3.3), and at which resource (RFC 8707).

/** Each resource has scopes of its own. A token for one resource is unknown to the other. */
export const RESOURCE_SCOPES = {
  api: ['api:read', 'api:write', 'console:read', 'console:write', 'account'],
  mcp: ['mcp:read', 'mcp:write'],
} as const

export type ProtectedResource = keyof typeof RESOURCE_SCOPES

export type Scope = (typeof RESOURCE_SCOPES)[ProtectedResource][number]

/** Whoever may write may read. */
export const IMPLIED: Partial<Record<Scope, Scope>> = {
  'api:write': 'api:read',
  'console:write': 'console:read',
  'mcp:write': 'mcp:read',
}

/** The client id of our own console. No other client ever gets one of the scopes below. */
export const FIRST_PARTY_CLIENT = 'console'

/** What people know it by. No other client may call itself that. */
export const FIRST_PARTY_NAME = 'Pharos console'

export const FIRST_PARTY_SCOPES: ReadonlySet<Scope> = new Set<Scope>(['account'])

/** Every scope of the API, for API keys. */
export const API_SCOPES: ReadonlySet<Scope> = new Set<Scope>(RESOURCE_SCOPES.api)

/**
 * The scopes that a token really has: those of its resource and its client, and those that they imply. Texts that are
 * no scope of it are left out.
 */
export function effectiveScopes(
  granted: readonly string[],
  { resource, clientId }: { readonly resource: ProtectedResource; readonly clientId: string },
): ReadonlySet<Scope> {
  const scopes = new Set<Scope>()
  for (const scope of RESOURCE_SCOPES[resource]) {
    if (!granted.includes(scope)) continue
    if (FIRST_PARTY_SCOPES.has(scope) && clientId !== FIRST_PARTY_CLIENT) continue
    scopes.add(scope)
    const implied = IMPLIED[scope]
    if (implied !== undefined) scopes.add(implied)
  }
  return scopes
}
