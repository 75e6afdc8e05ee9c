// A credential of an account. Its secret is shown once, when the key is made.
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7, secretHash } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { prunes } from '../../store/bounded_change.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { db } from '../../store/statement.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'phk_'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const SHAPE = /^phk_[0-9A-Za-z]{49}$/

/** The beginning of the key, to recognise it in a list. Too short to guess the rest: `phk_4fQ9mZ2x`. */
const SHOWN_LENGTH = 12

/** Lengths of the shown texts: the key itself, shown once, and its beginning. */
export const SECRET_LENGTHS = {
  whole: PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH,
  shown: SHOWN_LENGTH,
} as const

/** A new key with 256 bits of randomness, e.g. `phk_0Zq…`. */
export function makeApiKeySecret() {
  let random = ''
  for (let i = 0; i < RANDOM_LENGTH; i += 1) random += ALPHABET.charAt(randomInt(ALPHABET.length))
  const secret = `${PREFIX}${random}${checksumOf(random)}`
  return { secret, prefix: secret.slice(0, SHOWN_LENGTH), hash: secretHash(secret) }
}

/** True for text with the form and checksum of our keys. Detects typing mistakes without a query. */
export function looksLikeApiKey(text: string): boolean {
  if (!SHAPE.test(text)) return false
  const random = text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)
  return text.slice(PREFIX.length + RANDOM_LENGTH) === checksumOf(random)
}

function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

export type ApiKey = PlainRow<typeof TABLES.api_keys>

export const apiKeyOf = rowReader(TABLES.api_keys)

interface NewApiKey {
  readonly userId: string
  readonly name: string
  readonly expiresAt?: Date
}

/** Creates a key and returns its secret, which cannot be read again. */
export async function createApiKey(em: EntityManager, { userId, name, expiresAt }: NewApiKey) {
  const { secret, prefix, hash } = makeApiKeySecret()
  const made = await db(em)
    .insertInto('api_keys')
    .values({
      ...{ id: newUuid7(), user_id: userId, name, prefix, secret_hash: hash },
      expires_at: expiresAt ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { ...apiKeyOf(made), secret }
}

/** Revokes one of the user's own keys. Changes nothing when it is revoked already. @throws not_found */
export async function revokeApiKey(
  em: EntityManager,
  { userId, id }: { userId: string; id: string },
): Promise<ApiKey> {
  const revoked = await db(em)
    .updateTable('api_keys')
    .set({
      revoked_at: sql<Date>`coalesce(revoked_at, pharos_now())`,
      updated_at: sql<Date>`CASE WHEN revoked_at IS NULL THEN pharos_now() ELSE updated_at END`,
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
  if (revoked === undefined) throw refuse('not_found')
  return apiKeyOf(revoked)
}

/** How long keys stay listed after they were revoked or expired. */
const KEPT_DAYS = 90

/** Deletes keys that were revoked or have expired. Index: api_keys_ended. */
export const pruneApiKeys = prunes(
  'api_keys',
  sql`(revoked_at IS NOT NULL OR expires_at IS NOT NULL)
       AND least(revoked_at, expires_at) < pharos_now() - ${KEPT_DAYS} * interval '1 day'`,
)
