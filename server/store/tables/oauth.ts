// Columns of what people allowed applications to do, and of the tokens that came from it.
import { bytes, defaulted, instant, nullable, oneOf, text, texts } from '../columns.ts'

export const OAUTH_TABLES = {
  oauth_grants: {
    id: text,
    user_id: text,
    client_id: text,
    payload: text,
    last_used_at: nullable(instant),
    inserted_at: defaulted(instant),
    expires_at: instant,
  },
  oauth_access_tokens: {
    id: text,
    token_hash: bytes,
    grant_id: text,
    user_id: text,
    client_id: text,
    resource: oneOf('api', 'mcp'),
    scopes: texts,
    payload: text,
    inserted_at: defaulted(instant),
    expires_at: instant,
  },
} as const
