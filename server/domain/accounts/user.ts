// Users: the address that names an account, to which no mail is ever sent, and what users change about themselves.
import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { change, db } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import type { Plan } from './plan.ts'

/** Characters that cannot be seen are no part of it, because a list would show two addresses as one. */
const EMAIL = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,190}$/u

export const isEmail = (given: string): boolean => EMAIL.test(given)

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.string().primary(),
    email: p.string(),
    firstName: p.string(),
    lastName: p.string(),
    plan: p.string().$type<Plan>(),
    disabledAt: p.datetime(3).nullable(),
    defaultTeamId: p.string().nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

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
  const wanted = {
    userId,
    firstName: firstName?.trim() ?? null,
    lastName: lastName?.trim() ?? null,
    setsTeam: defaultTeamId !== undefined,
    teamId: defaultTeamId ?? null,
  }
  if ((await change(em, CHANGE(wanted))) === 0)
    throw refuse('invalid_attribute', { path: ['default_team_id'], detail: 'is no team of yours' })
}

interface Change {
  readonly userId: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly setsTeam: boolean
  readonly teamId: string | null
}

const CHANGE = command(
  ({ userId, firstName, lastName, setsTeam, teamId }: Change) => sql`
  UPDATE users SET first_name = coalesce(${firstName}, first_name), last_name = coalesce(${lastName}, last_name),
         default_team_id = CASE WHEN ${setsTeam} THEN ${teamId} ELSE default_team_id END, updated_at = pharos_now()
   WHERE id = ${userId} AND (${teamId}::text IS NULL OR EXISTS (
         SELECT 1 FROM memberships m WHERE m.user_id = users.id AND m.team_id = ${teamId}))`,
)

interface NamedAccount {
  readonly id: string
  readonly email: string
}

/** @throws not_found, which names the address, because only operators ask */
export async function accountByEmail(em: EntityManager, email: string): Promise<NamedAccount> {
  const found = await db(em)
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  if (found === undefined) throw refuse('not_found', { detail: `there is no account ${email}` })
  return found
}
