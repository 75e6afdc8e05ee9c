// What the authorization server issues: for the two protected resources (RFC 8707, RFC 9728), with the scopes that a client
// may ask for at each, and valid for how long.
import type { RefreshToken, Session } from 'oidc-provider'
import {
  FIRST_PARTY_CLIENT,
  FIRST_PARTY_SCOPES,
  IMPLIED,
  type ProtectedResource,
  RESOURCE_SCOPES,
  type Scope,
} from '../../domain/accounts/scope.ts'

/** What each resource is called on the wire. */
export const resourceAddress = (base: string, resource: ProtectedResource): string =>
  resource === 'api' ? base : `${base}/mcp`

/** The resource with this address, in any spelling that means the same, or undefined. */
export function resourceAt(base: string, address: string): ProtectedResource | undefined {
  const href = URL.parse(address)?.href
  if (href === `${base}/`) return 'api'
  return href === `${base}/mcp` ? 'mcp' : undefined
}

/** The scope of a client that asks for none. */
const USUAL_SCOPE = { api: 'api:read', mcp: 'mcp:read' } as const satisfies Record<ProtectedResource, Scope>

/** In the order of the table, so that the same scopes are always written the same way. */
export const scopesFor = (resource: ProtectedResource, clientId: string): readonly Scope[] =>
  RESOURCE_SCOPES[resource].filter(
    (scope) => clientId === FIRST_PARTY_CLIENT || !FIRST_PARTY_SCOPES.has(scope),
  )

/** What is granted of what was asked: scopes that are unknown or of the other resource are left out. */
export const grantedOf = (
  asked: string | undefined,
  { resource, clientId }: { readonly resource: ProtectedResource; readonly clientId: string },
): readonly Scope[] => {
  if (asked === undefined || asked.trim() === '') return [USUAL_SCOPE[resource]]
  const words = new Set(asked.split(' '))
  return scopesFor(resource, clientId).filter((scope) => words.has(scope))
}

/** A person may leave it out: what is asked beside it is enough to read. */
export function isOptional(scope: Scope, asked: readonly Scope[]): boolean {
  const implied = IMPLIED[scope]
  return implied !== undefined && asked.includes(implied)
}

/** What the consent page says about each scope. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'api:read': 'read your items, beacons, proofs and webhooks',
  'api:write':
    'create and change items, webhooks and everything else of your account that is not named below',
  'console:read': 'follow the live stream of the console',
  'console:write': 'use the live stream of the console',
  account: 'change your password, API keys, team members and allowed applications',
  'mcp:read': 'read items, beacons, proofs and webhooks with agent tools',
  'mcp:write': 'create and change items and webhooks with agent tools',
}

export const isScope = (name: string): name is Scope => Object.hasOwn(SCOPE_MEANINGS, name)

const MINUTE = 60
const DAY = 86_400

/** In seconds. */
export const LIFETIMES = {
  code: 60,
  accessToken: 15 * MINUTE,
  /** From its last use, and from the first token of its family. */
  refreshToken: { idle: 30 * DAY, whole: 180 * DAY },
  /** From the sign-in. */
  session: 14 * DAY,
  /** From the newest sign-in in the browser. Browsers keep no cookie for longer. */
  devices: 400 * DAY,
  /** The time that a person has for sign-in and consent. */
  interaction: 30 * MINUTE,
} as const

const seconds = (): number => Math.floor(Date.now() / 1_000)

/** At least a second, because the library accepts nothing less. */
export const refreshTokenSeconds = (token: RefreshToken): number => {
  const { idle, whole } = LIFETIMES.refreshToken
  return Math.max(1, Math.min(idle, whole - token.totalLifetime()))
}

/** A session ends this long after the sign-in, however much it is used. */
export const sessionSeconds = ({ loginTs }: Pick<Session, 'loginTs'>): number =>
  Math.max(1, LIFETIMES.session - (seconds() - (loginTs ?? seconds())))
