// Password resets: a one-time link, made by an operator, with which the person chooses a password.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import { bool, text } from '../../store/columns.ts'
import { change, inTransaction, rows } from '../../store/run.ts'
import { command, statement } from '../../store/statement.ts'
import type { Attempts } from './attempt.ts'
import { endSignIns } from './end_sign_ins.ts'
import { linkHash, newLinkToken, ONE_TIME_LINKS, orWrongLink } from './one_time_link.ts'
import { readNewPassword } from './password.ts'
import type { PasswordHashes } from './password_hashes.ts'
import { writePassword } from './sign_in.ts'

/** Makes the link's token, shown once. An older link of the account stops working. */
export async function makePasswordReset(em: EntityManager, userId: string): Promise<string> {
  const token = newLinkToken()
  await change(em, MAKE({ userId, hash: linkHash(token) }))
  return token
}

/** Returns false when there was no link. */
export const withdrawPasswordReset = async (em: EntityManager, userId: string): Promise<boolean> =>
  (await change(em, WITHDRAW({ userId }))) > 0

export interface OpenReset {
  readonly userId: string
  readonly email: string
  /** The account has a password already. */
  readonly isChange: boolean
}

/** Undefined when the link is unknown, used, withdrawn or expired, or its account is disabled. */
export async function readPasswordReset(em: EntityManager, token: string): Promise<OpenReset | undefined> {
  const [found] = await rows(em, OPEN({ hash: linkHash(token) }))
  return found && { userId: found.user_id, email: found.email, isChange: found.is_change }
}

export interface ChoosePassword {
  readonly token: string
  readonly newPassword: string
  readonly address: string
}

/**
 * Uses the link. Every session and grant of the account ends, because whoever has the link may have it for that
 * reason. API keys stay. The hash is made before the transaction.
 * @throws not_found, invalid_argument, rate_limited, overloaded
 */
export async function choosePassword(
  {
    em,
    passwords,
    attempts,
    log,
  }: { em: EntityManager; passwords: PasswordHashes; attempts: Attempts; log: Log },
  { token, newPassword, address }: ChoosePassword,
): Promise<void> {
  const { userId, email } = await orWrongLink({ attempts }, address, readPasswordReset(em, token))
  const hash = await passwords.hash(await readNewPassword(newPassword, 'new_password', email), {
    known: userId,
  })
  await inTransaction(em, async (tx) => {
    const used = await change(tx, USE({ hash: linkHash(token) }))
    if (used === 0) throw refuse('not_found', { detail: 'no such link' })
    await writePassword(tx, userId, hash)
    await endSignIns(tx, userId)
  })
  log.info({ user_id: userId, address }, 'account.password_reset')
}

/** One bounded DELETE. Call again while it is full. Index: password_resets_expires_at. */
export const prunePasswordResets = (em: EntityManager, limit: number): Promise<number> =>
  change(em, PRUNE({ limit }))

const MAKE = command(
  ({ userId, hash }: { userId: string; hash: Buffer }) => sql`
  INSERT INTO password_resets (user_id, token_hash, expires_at)
  VALUES (${userId}, ${hash}, pharos_now() + ${sql.lit(ONE_TIME_LINKS.password_reset.validHours)} * interval '1 hour')
  ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at`,
)

const WITHDRAW = command(
  ({ userId }: { userId: string }) => sql`DELETE FROM password_resets WHERE user_id = ${userId}`,
)

/** Index: password_resets_token_hash_key. */
const OPEN = statement(
  { user_id: text, email: text, is_change: bool },
  ({ hash }: { hash: Buffer }) => sql`
  SELECT u.id AS user_id, u.email, EXISTS (SELECT 1 FROM passwords p WHERE p.user_id = u.id) AS is_change
    FROM password_resets r JOIN users u ON u.id = r.user_id
   WHERE r.token_hash = ${hash} AND r.expires_at > pharos_now() AND u.disabled_at IS NULL`,
)

const USE = command(
  ({ hash }: { hash: Buffer }) => sql`
  DELETE FROM password_resets r USING users u
   WHERE r.token_hash = ${hash} AND r.expires_at > pharos_now() AND u.id = r.user_id AND u.disabled_at IS NULL`,
)

const PRUNE = command(
  ({ limit }: { limit: number }) => sql`
  DELETE FROM password_resets WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM password_resets WHERE expires_at < (SELECT pharos_now())
     ORDER BY expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))`,
)
