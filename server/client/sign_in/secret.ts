// What is kept secret for a service: an API key, or the tokens of a sign-in. It names the service that it is for, so it goes
// to no other one, whatever becomes of the profile.
import { readOrUndefined } from '../../../shared/proof/bytes.ts'
import { textAt } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'

/** As they are kept. */
export interface Tokens {
  /** What this program is called at the service since the sign-in. */
  readonly client_id: string
  readonly access_token: string
  readonly refresh_token: string
  /** Scopes that were granted, with spaces between. */
  readonly scope: string
  /** When the access token ends, ISO 8601. */
  readonly ends_at: string
}

export type Secret = { readonly origin: string } & (
  | { readonly kind: 'api_key'; readonly key: string }
  | { readonly kind: 'sign_in'; readonly tokens: Tokens }
)

export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

/** One line. */
export const writeSecret = (secret: Secret): string =>
  JSON.stringify({
    origin: secret.origin,
    ...(secret.kind === 'api_key' ? { api_key: secret.key } : secret.tokens),
  })

/** Undefined for what is none. */
export function readSecret(text: string): Secret | undefined {
  const value = readOrUndefined(() => readStrictJson(text))
  const [origin, key] = ['origin', 'api_key'].map((name) => textAt(value, name))
  if (origin === undefined) return undefined
  if (key !== undefined) return { origin, kind: 'api_key', key }
  const names = ['client_id', 'access_token', 'refresh_token', 'scope', 'ends_at']
  const [client_id, access_token, refresh_token, scope, ends_at] = names.map((name) => textAt(value, name))
  if (!client_id || !access_token || !refresh_token || scope === undefined || !ends_at) return undefined
  return { origin, kind: 'sign_in', tokens: { client_id, access_token, refresh_token, scope, ends_at } }
}
