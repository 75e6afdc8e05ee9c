// Users: the address that names an account, to which no mail is ever sent, what users change about themselves, and what
// ends what an account is signed in with. An account is disabled with that, and enabled again. API keys stay.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { change, command, db, inTransaction, NOW, rows, statement } from '../../store/statement.ts'

/** Characters that cannot be seen are no part of it, because a list would show two addresses as one. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,190}$/u

export const isEmail = (given: string): boolean => EMAIL.test(given)

export type User = PlainRow<typeof TABLES.users>

export const userOf = rowReader(TABLES.users)

/** Of a user that there is, such as the caller. */
export const readUser = async (em: EntityManager, id: string): Promise<User> =>
  userOf(await db(em).selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow())

/** Maximum length of the first name, and of the last name. Either may be empty. */
export const NAME_LENGTH = 100

export interface Names {
  readonly firstName: string
  readonly lastName: string
}

/**
 * The full name. Without names, users see the local part of their own address.
 * @param email only when the text is shown to the user themselves
 */
export const fullName = ({ firstName, lastName }: Names, email = ''): string =>
  [firstName, lastName].filter((name) => name !== '').join(' ') || email.slice(0, email.indexOf('@'))

interface UserChange extends Partial<Names> {
  /** A team of the user, or null for none. */
  readonly defaultTeamId?: string | null
}

/** @throws invalid_attribute when the user does not belong to the team */
export async function changeUser(
  em: EntityManager,
  userId: string,
  { firstName, lastName, defaultTeamId }: UserChange,
): Promise<void> {
  let update = db(em)
    .updateTable('users')
    .set({
      ...(firstName !== undefined && { first_name: firstName.trim() }),
      ...(lastName !== undefined && { last_name: lastName.trim() }),
      ...(defaultTeamId !== undefined && { default_team_id: defaultTeamId }),
      updated_at: NOW,
    })
    .where('id', '=', userId)
  if (typeof defaultTeamId === 'string')
    update = update.where('id', 'in', (of) =>
      of.selectFrom('memberships').select('user_id').where('team_id', '=', defaultTeamId),
    )
  if ((await update.executeTakeFirst()).numUpdatedRows === 0n)
    throw refuse('invalid_attribute', { path: ['default_team_id'], detail: 'is no team of yours' })
}

/** @throws not_found, which names the address, because only operators ask */
export async function accountByEmail(em: EntityManager, email: string) {
  const address = email.toLowerCase()
  const found = await db(em).selectFrom('users').select('id').where('email', '=', address).executeTakeFirst()
  if (found === undefined) throw refuse('not_found', { detail: `there is no account ${email}` })
  return { id: found.id, email: address }
}

/** The e-mail address, or undefined when there is no such account or it is disabled. */
export const activeEmail = async (em: EntityManager, userId: string): Promise<string | undefined> =>
  (await rows(em, ACTIVE({ userId })))[0]?.email

const ACTIVE = statement(
  { email: text },
  ({ userId }: { userId: string }) =>
    sql`SELECT email FROM users WHERE id = ${userId} AND disabled_at IS NULL`,
)

/**
 * Ends what an account is signed in with: sessions and grants take their codes and tokens with them. Each server
 * learns of it by a notice and ends open connections. Indexes: oauth_sessions_user, oauth_grants_user.
 * @param except the access token that asks for it: its session and its grant go on
 */
export async function endSignIns(em: EntityManager, userId: string, except?: string): Promise<void> {
  const ended = { userId, except: except ?? null }
  await change(em, END_SESSIONS(ended))
  await change(em, END_GRANTS(ended))
}

interface Ended {
  readonly userId: string
  readonly except: string | null
}

const END_SESSIONS = command(
  ({ userId, except }: Ended) => sql`
  DELETE FROM oauth_sessions WHERE user_id = ${userId}
     AND id IS DISTINCT FROM (SELECT session_id FROM oauth_access_tokens WHERE id = ${except})`,
)

const END_GRANTS = command(
  ({ userId, except }: Ended) => sql`
  DELETE FROM oauth_grants WHERE user_id = ${userId}
     AND id IS DISTINCT FROM (SELECT grant_id FROM oauth_access_tokens WHERE id = ${except})`,
)

/**
 * Its sessions, grants, tokens and one-time links end for good. Its API keys are unknown until it is enabled again.
 * Every server learns of it by a notice, and open connections end within a minute. Returns false when it was disabled
 * already.
 */
export const disableAccount = (em: EntityManager, userId: string): Promise<boolean> =>
  inTransaction(em, async (tx) => {
    const changed = await switched(tx, userId, true)
    await endSignIns(tx, userId)
    await db(tx).deleteFrom('password_resets').where('user_id', '=', userId).execute()
    return changed
  })

/** The person signs in again; API keys work again. Returns false when it was not disabled. */
export const enableAccount = (em: EntityManager, userId: string): Promise<boolean> =>
  switched(em, userId, false)

async function switched(em: EntityManager, userId: string, disabled: boolean): Promise<boolean> {
  const done = await db(em)
    .updateTable('users')
    .set({ disabled_at: disabled ? NOW : null, updated_at: NOW })
    .where('id', '=', userId)
    .where('disabled_at', disabled ? 'is' : 'is not', null)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}
