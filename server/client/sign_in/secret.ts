// What is kept secret for a service: an API key, or the tokens of a sign-in. It names the service that it is for, so it goes
// to no other one, whatever becomes of the profile.
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { textAt } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'

export interface Tokens {
  /** What this program is called at the service since the sign-in. */
  readonly clientId: string
  readonly accessToken: string
  readonly refreshToken: string
  /** Scopes that were granted, with spaces between. */
  readonly scope: string
  /** When the access token ends, ISO 8601. */
  readonly endsAt: string
}

export type Secret = { readonly origin: string } & (
  | { readonly kind: 'api_key'; readonly key: string }
  | { readonly kind: 'sign_in'; readonly tokens: Tokens }
)

export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

/** One line. */
export function writeSecret(secret: Secret): string {
  const { origin } = secret
  if (secret.kind === 'api_key') return JSON.stringify({ origin, api_key: secret.key })
  const { clientId, accessToken, refreshToken, scope, endsAt } = secret.tokens
  return JSON.stringify({
    origin,
    client_id: clientId,
    access_token: accessToken,
    refresh_token: refreshToken,
    scope,
    ends_at: endsAt,
  })
}

/** Undefined for what is none. */
export function readSecret(text: string): Secret | undefined {
  const value = readOrUndefined(() => readStrictJson(text))
  const [origin, key] = ['origin', 'api_key'].map((name) => textAt(value, name))
  if (origin === undefined) return undefined
  if (key !== undefined) return { origin, kind: 'api_key', key }
  const names = ['client_id', 'access_token', 'refresh_token', 'scope', 'ends_at']
  const [clientId, accessToken, refreshToken, scope, endsAt] = names.map((name) => textAt(value, name))
  if (!clientId || !accessToken || !refreshToken || scope === undefined || !endsAt) return undefined
  return { origin, kind: 'sign_in', tokens: { clientId, accessToken, refreshToken, scope, endsAt } }
}
