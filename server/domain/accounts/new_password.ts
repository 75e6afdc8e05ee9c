// A new password of an account: a person who proves with the current one to be that person changes it, or whoever holds
// a one-time link, made by an operator, chooses one.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { randomSecret, secretHash } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { EXPIRED, prunes } from '../../store/bounded_change.ts'
import { bool, nullable, text } from '../../store/columns.ts'
import { change, command, db, inTransaction, row, rows, statement } from '../../store/statement.ts'
import { ONE_TIME_LINKS, orWrongLink } from './one_time_link.ts'
import { readNewPassword, spelled } from './password.ts'
import { type SigningIn, writePassword } from './sign_in.ts'
import { endSignIns } from './user.ts'

interface ChangePassword {
  readonly userId: string
  readonly currentPassword: string
  readonly newPassword: string
  /** The id of the access token that asks, if it is one. */
  readonly tokenId: string | undefined
}

/**
 * Ends every other browser session and every other grant of the account, with all their tokens, because people change
 * a password that somebody else may know. The caller stays signed in. API keys stay: programs run on them, and each is
 * listed and revoked by itself. Tries are counted for the account, and strangers who try to sign in to it do not count.
 * Returns the time from which the new one is valid.
 * @throws invalid_argument, conflict, rate_limited, overloaded
 */
export async function changePassword(
  { em, passwords, attempts, log }: SigningIn,
  { userId, currentPassword, newPassword, tokenId }: ChangePassword,
): Promise<Date> {
  const { email, hash: known } = await row(em, KNOWN({ userId }))
  const password = await readNewPassword(newPassword, 'new_password', email)
  await attempts.changePassword(userId)
  const turn = { known: userId }
  const { matches } = await passwords.verify(known ?? undefined, currentPassword, turn)
  if (!matches || known === null) {
    log.info({ user_id: userId, reason: 'wrong_password' }, 'account.password_change_refused')
    throw refuse('invalid_argument', {
      path: ['current_password'],
      detail: 'is not the current password; an account without one gets its first by a one-time link',
    })
  }
  if (password === spelled(currentPassword))
    throw refuse('invalid_argument', { path: ['new_password'], detail: 'is the current password' })
  const hash = await passwords.hash(password, turn)
  const changedAt = await inTransaction(em, async (tx) => {
    const still = await db(tx)
      .selectFrom('passwords')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('hash', '=', known)
      .forUpdate()
      .executeTakeFirst()
    if (still === undefined) throw refuse('conflict', { detail: 'the password was changed in the meantime' })
    const written = await writePassword(tx, userId, hash)
    await db(tx).deleteFrom('password_resets').where('user_id', '=', userId).execute()
    await endSignIns(tx, userId, tokenId)
    return written
  })
  log.info({ user_id: userId }, 'account.password_changed')
  return changedAt
}

const KNOWN = statement(
  { email: text, hash: nullable(text) },
  ({ userId }: { userId: string }) => sql`
  SELECT u.email, p.hash FROM users u LEFT JOIN passwords p ON p.user_id = u.id WHERE u.id = ${userId}`,
)

/** Makes the link's token, shown once. An older link of the account stops working. */
export async function makePasswordReset(em: EntityManager, userId: string): Promise<string> {
  const token = randomSecret()
  await change(em, MAKE({ userId, hash: secretHash(token) }))
  return token
}

/** Returns false when there was no link. */
export const withdrawPasswordReset = async (em: EntityManager, userId: string): Promise<boolean> =>
  (await change(em, WITHDRAW({ userId }))) > 0

/**
 * Undefined when the link is unknown, used, withdrawn or expired, or its account is disabled. `isChange` where the account
 * has a password already.
 */
export async function readPasswordReset(em: EntityManager, token: string) {
  const [found] = await rows(em, OPEN({ hash: secretHash(token) }))
  return found && { userId: found.user_id, email: found.email, isChange: found.is_change }
}

interface ChoosePassword {
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
  { em, passwords, attempts, log }: SigningIn,
  { token, newPassword, address }: ChoosePassword,
): Promise<void> {
  const { userId, email } = await orWrongLink({ attempts }, address, readPasswordReset(em, token))
  const hash = await passwords.hash(await readNewPassword(newPassword, 'new_password', email), {
    known: userId,
  })
  await inTransaction(em, async (tx) => {
    const used = await change(tx, USE({ hash: secretHash(token) }))
    if (used === 0) throw refuse('not_found', { detail: 'no such link' })
    await writePassword(tx, userId, hash)
    await endSignIns(tx, userId)
  })
  log.info({ user_id: userId, address }, 'account.password_reset')
}

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

/** Index: password_resets_expires_at. */
export const prunePasswordResets = prunes('password_resets', EXPIRED)
