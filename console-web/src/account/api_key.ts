// An API key of the account from GET /api/json/api-keys. The secret itself is only in the answer that made it.
import { bodyOf, collection } from '../data/resource.ts'
import { shape, text, textOrNull } from '../data/shape.ts'

const readApiKey = shape({
  id: text,
  name: text,
  /** How the key begins, to recognise it by. */
  prefix: text,
  lastUsedAt: textOrNull,
  expiresAt: textOrNull,
  revokedAt: textOrNull,
  insertedAt: text,
})

export type ApiKey = ReturnType<typeof readApiKey>

export const apiKeys = collection('/api/json/api-keys', readApiKey)

/** `now` is the server's time. */
export const stateOf = ({ revokedAt, expiresAt }: ApiKey, now: number) => {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}

const DAY_MS = 86_400_000

/**
 * When a key ends. Null for one that does not, undefined for a day that does not exist.
 * @param life `never`, a number of days, or `day`: then the key works to the end of `day`, `2027-01-31`, in UTC
 */
export const expiryOf = (life: string, day: string, now: number): string | null | undefined => {
  if (life === 'never') return null
  const end = life === 'day' ? Date.parse(`${day}T23:59:59.000Z`) : now + Number(life) * DAY_MS
  return Number.isNaN(end) ? undefined : new Date(end).toISOString()
}

export const keyCreation = (name: string, expiresAt: string | null): object =>
  bodyOf('api_key', { name: name.trim(), ...(expiresAt === null ? {} : { expires_at: expiresAt }) })
