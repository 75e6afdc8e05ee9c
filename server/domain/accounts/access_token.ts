// The text of an OAuth access token: opaque, and stored only as its SHA-256.
import { createHash } from 'node:crypto'

const SHAPE = /^[\w-]{32,128}$/

/** False for text that none of our tokens can be, such as a JWT, which has dots. Saves a query. */
export const looksLikeAccessToken = (text: string): boolean => SHAPE.test(text)

/** What `oauth_access_tokens.token_hash` holds. */
export const hashAccessToken = (token: string): Buffer => createHash('sha256').update(token).digest()
