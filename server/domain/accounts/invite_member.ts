// Invitations: a membership without a user, and a one-time link that assigns it.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7, randomSecret, secretHash } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { boundedChange } from '../../store/bounded_change.ts'
import { nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { change, command, db, inTransaction, NOW, rows, statement } from '../../store/statement.ts'
import { ONE_TIME_LINKS } from './one_time_link.ts'
import { lockManaged, membershipOf, type Role, requireTeamRole } from './team.ts'
import { fullName } from './user.ts'

/** How long an unused invitation is kept after its newest link. */
const FORGOTTEN_DAYS = 30
const VALID_HOURS = ONE_TIME_LINKS.invitation.validHours

/** Maximum number of open invitations of one team, including those with an expired link. */
export const MAX_INVITED = 100

/**
 * Creates an open membership, and the secret of its link, of which only the hash is stored. The user who opens the link
 * becomes its member. Owners and admins invite. Only owners invite owners. The address is not compared with existing
 * users.
 * @throws not_found, forbidden, invitation_limit
 */
export async function inviteMember(
  em: EntityManager,
  userId: string,
  { teamId, email, role }: { teamId: string; email: string; role: Role },
) {
  await requireTeamRole(em, userId, teamId, role === 'owner' ? ['owner'] : ['owner', 'admin'])
  const membershipId = newUuid7()
  const token = randomSecret()
  return inTransaction(em, async (tx) => {
    await db(tx).selectFrom('teams').select('id').where('id', '=', teamId).forNoKeyUpdate().execute()
    const { waiting } = await db(tx)
      .selectFrom('memberships')
      .select(({ fn }) => fn.countAll<string>().as('waiting'))
      .where('team_id', '=', teamId)
      .where('user_id', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(waiting) >= MAX_INVITED) throw refuse('invitation_limit', { meta: { maximum: MAX_INVITED } })
    const written = await db(tx)
      .insertInto('memberships')
      .values({ id: membershipId, team_id: teamId, role })
      .returningAll()
      .executeTakeFirstOrThrow()
    await db(tx)
      .insertInto('invitations')
      .values({
        membership_id: membershipId,
        email: email.toLowerCase(),
        token_hash: secretHash(token),
        invited_by: userId,
        expires_at: LINK_ENDS,
      })
      .execute()
    return { membership: membershipOf(written), token }
  })
}

/** Makes a new link for an open invitation. The old link stops working. @throws not_found, forbidden, conflict */
export function reissueInvitation(em: EntityManager, userId: string, membershipId: string) {
  const token = randomSecret()
  return inTransaction(em, async (tx) => {
    const { role, manager_role, user_id } = await lockManaged(tx, userId, membershipId, { leaving: false })
    if (user_id !== null) throw refuse('conflict', { detail: 'the invitation was accepted already' })
    if (role === 'owner' && manager_role !== 'owner') throw refuse('forbidden')
    await db(tx)
      .updateTable('invitations')
      .set({ token_hash: secretHash(token), invited_by: userId, expires_at: LINK_ENDS })
      .where('membership_id', '=', membershipId)
      .execute()
    return { membershipId, token }
  })
}

/**
 * Makes the user the member and returns the id of the membership. Works once per link. A user who is a member already
 * keeps the existing membership. The inviter must still be allowed to invite, so that a removed member cannot return
 * with an own invitation.
 * @throws not_found when the link is unknown, used or expired, or the inviter may no longer invite
 */
export const acceptInvitation = (em: EntityManager, userId: string, token: string): Promise<string> =>
  inTransaction(em, (tx) => takeInvitation(tx, userId, token))

/** As `acceptInvitation`, within a transaction. */
export async function takeInvitation(tx: EntityManager, userId: string, token: string): Promise<string> {
  const hash = secretHash(token)
  // The team's row is the lock for all changes of its members, and always the first lock.
  await change(tx, LOCK_TEAM({ hash }))
  const [invited] = await rows(tx, TAKE({ hash, userId }))
  if (invited === undefined) throw refuse('not_found', { detail: 'no such invitation' })
  if (invited.member_id !== null)
    await db(tx).deleteFrom('memberships').where('id', '=', invited.id).execute()
  else
    await db(tx)
      .updateTable('memberships')
      .set({ user_id: userId, updated_at: NOW })
      .where('id', '=', invited.id)
      .execute()
  return invited.member_id ?? invited.id
}

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof readInvitation>>>

/**
 * What the page of a link says, to whoever holds the link: the address that the invitation is for, and the name of who
 * invited, empty where there is none. Undefined under the conditions under which it cannot be accepted.
 */
export async function readInvitation(em: EntityManager, token: string) {
  const [found] = await rows(em, OPEN({ hash: secretHash(token) }))
  if (found === undefined) return undefined
  const { team, role, email, first_name: firstName, last_name: lastName } = found
  return { team, role, email, inviter: fullName({ firstName, lastName }) }
}

const LINK_ENDS = sql<Date>`pharos_now() + ${sql.lit(VALID_HOURS)} * interval '1 hour'`

/** The inviter still has the role for it. Index: invitations_token_hash_key, memberships_user_id_team_id_key. */
const isBacked = sql`
  i.expires_at > pharos_now() AND EXISTS (
    SELECT 1 FROM memberships inviter JOIN users u ON u.id = inviter.user_id
     WHERE inviter.team_id = m.team_id AND inviter.user_id = i.invited_by AND u.disabled_at IS NULL
       AND (inviter.role = 'owner' OR inviter.role = 'admin' AND m.role <> 'owner'))`

const OPEN = statement(
  { team: text, role: TABLES.memberships.role, email: text, first_name: text, last_name: text },
  ({ hash }: { hash: Buffer }) => sql`
  SELECT t.name AS team, m.role, i.email, by.first_name, by.last_name
    FROM invitations i JOIN memberships m ON m.id = i.membership_id JOIN teams t ON t.id = m.team_id
    JOIN users by ON by.id = i.invited_by
   WHERE i.token_hash = ${hash} AND ${isBacked}`,
)

const LOCK_TEAM = command(
  ({ hash }: { hash: Buffer }) => sql`
  SELECT 1 FROM teams WHERE id = (
    SELECT m.team_id FROM invitations i JOIN memberships m ON m.id = i.membership_id WHERE i.token_hash = ${hash})
     FOR NO KEY UPDATE`,
)

const TAKE = statement(
  { id: text, member_id: nullable(text) },
  ({ hash, userId }: { hash: Buffer; userId: string }) => sql`
  DELETE FROM invitations i USING memberships m
   WHERE i.token_hash = ${hash} AND m.id = i.membership_id AND ${isBacked}
  RETURNING m.id, (SELECT mine.id FROM memberships mine WHERE mine.team_id = m.team_id AND mine.user_id = ${userId}) AS member_id`,
)

/** The invited addresses of these memberships, and the time until which their links work. */
export async function readInvitations(em: EntityManager, membershipIds: readonly string[]) {
  const found = await rows(em, INVITATIONS({ membershipIds }))
  return new Map(found.map((one) => [one.membership_id, { email: one.email, expiresAt: one.expires_at }]))
}

const INVITATIONS = statement(
  { membership_id: text, email: text, expires_at: text },
  ({ membershipIds }: { membershipIds: readonly string[] }) => sql`
  SELECT membership_id, email, iso_time(expires_at) AS expires_at FROM invitations
   WHERE membership_id = ANY(${membershipIds}::text[])`,
)

/**
 * One bounded DELETE of invitations that were not used. Call again while it is full. Index: invitations_expires_at.
 */
export const pruneInvitations = boundedChange(
  ({ limit }) => sql`
  DELETE FROM memberships WHERE user_id IS NULL AND id IN (
    SELECT membership_id FROM invitations
     WHERE expires_at < (SELECT pharos_now()) - ${FORGOTTEN_DAYS * 24 - VALID_HOURS} * interval '1 hour'
     ORDER BY expires_at LIMIT ${limit})`,
)
