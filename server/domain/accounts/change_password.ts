// A person changes the own password, and proves with the current one to be that person.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import { nullable, text } from '../../store/columns.ts'
import { db, inTransaction, row } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'
import type { Attempts } from './attempt.ts'
import { endSignIns } from './end_sign_ins.ts'
import { readNewPassword, spelled } from './password.ts'
import type { PasswordHashes } from './password_hashes.ts'
import { writePassword } from './sign_in.ts'

export interface ChangePassword {
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
  {
    em,
    passwords,
    attempts,
    log,
  }: { em: EntityManager; passwords: PasswordHashes; attempts: Attempts; log: Log },
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
