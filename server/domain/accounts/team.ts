// Teams, which items belong to, and their memberships: who is in which team with which role, and changes of both. A team
// always keeps at least one owner. An open invitation is a membership without a user.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import { bool, nullable, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { db, inTransaction, NOW, type RowFrom, rows, statement } from '../../store/statement.ts'
import type { Caller } from './caller.ts'
import { PLANS } from './plan.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof ROLES)[number]

const WRITING: ReadonlySet<Role> = new Set<Role>(['owner', 'admin', 'member'])

/** Owners, admins and members write; viewers read. */
export const maySubmit = (role: Role): boolean => WRITING.has(role)

export const MEMBERSHIP_STATES = ['invited', 'active'] as const

export type Membership = PlainRow<typeof TABLES.memberships>

export const membershipOf = rowReader(TABLES.memberships)

/** Owners and admins change roles. Only owners appoint or remove owners. @throws not_found, forbidden, conflict */
export function changeRole(em: EntityManager, userId: string, id: string, role: Role): Promise<Membership> {
  return inTransaction(em, async (tx) => {
    const membership = await lockManaged(tx, userId, id, { leaving: false })
    if ((role === 'owner' || membership.role === 'owner') && membership.manager_role !== 'owner')
      throw refuse('forbidden')
    if (role !== 'owner') keepOwner(membership)
    // The invitation is now backed by the person who changed its role last.
    await db(tx)
      .updateTable('invitations')
      .set({ invited_by: userId })
      .where('membership_id', '=', id)
      .execute()
    const written = await db(tx)
      .updateTable('memberships')
      .set({ role, updated_at: NOW })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return membershipOf(written)
  })
}

/**
 * Owners and admins remove members and withdraw invitations. Every member may leave. @throws not_found, forbidden,
 * conflict
 */
export function removeMember(em: EntityManager, userId: string, id: string): Promise<Membership> {
  return inTransaction(em, async (tx) => {
    const membership = await lockManaged(tx, userId, id, { leaving: true })
    const isSelf = membership.user_id === userId
    if (membership.role === 'owner' && !isSelf && membership.manager_role !== 'owner')
      throw refuse('forbidden')
    keepOwner(membership)
    const removed = await db(tx)
      .deleteFrom('memberships')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return membershipOf(removed)
  })
}

/** Locks the team's row, so that two owners cannot leave at the same time. Submissions do not wait for this lock. */
export async function lockManaged(
  em: EntityManager,
  userId: string,
  id: string,
  { leaving }: { leaving: boolean },
): Promise<Managed> {
  await db(em)
    .selectFrom('teams')
    .select('id')
    .where('id', '=', (of) => of.selectFrom('memberships').select('team_id').where('id', '=', id))
    .forNoKeyUpdate()
    .execute()
  const [found] = await rows(em, MANAGED({ id, userId }))
  const isSelf = found?.user_id === userId
  const manages = found?.manager_role === 'owner' || found?.manager_role === 'admin'
  if (found === undefined || (!isSelf && !manages)) throw refuse('not_found')
  if (!manages && !leaving) throw refuse('forbidden')
  return found
}

const MANAGED = statement(
  {
    /** Null while the invitation is open. */
    user_id: nullable(text),
    role: TABLES.memberships.role,
    /** Null when the user is no member. */
    manager_role: nullable(TABLES.memberships.role),
    /** The team is its user's own. */
    is_personal: bool,
    /** Without it the team has no owner. */
    is_last_owner: bool,
  },
  ({ id, userId }: { id: string; userId: string }) => sql`
  SELECT m.user_id, m.role, mine.role AS manager_role,
         EXISTS (SELECT FROM teams t WHERE t.id = m.team_id AND t.personal_user_id = m.user_id) AS is_personal,
         m.role = 'owner' AND m.user_id IS NOT NULL AND NOT EXISTS (
           SELECT FROM memberships other
            WHERE other.team_id = m.team_id AND other.role = 'owner' AND other.id <> m.id AND other.state = 'active')
           AS is_last_owner
    FROM memberships m LEFT JOIN memberships mine ON mine.team_id = m.team_id AND mine.user_id = ${userId}
   WHERE m.id = ${id}`,
)

type Managed = RowFrom<typeof MANAGED>

/** Requests without a tenant use the personal team, so its user must stay its owner. */
function keepOwner({ is_personal, is_last_owner }: Managed): void {
  if (is_personal) throw refuse('conflict', { detail: 'everybody stays owner of the personal team' })
  if (is_last_owner)
    throw refuse('conflict', { detail: 'a team always keeps one owner: make somebody else its owner first' })
}

export const OWNERSHIP_MODELS = ['creator_retains', 'team_retains'] as const

type OwnershipModel = (typeof OWNERSHIP_MODELS)[number]

export type Team = PlainRow<typeof TABLES.teams>

export const teamOf = rowReader(TABLES.teams)

export const TEAM_NAME_LENGTH = 100

interface NewTeam {
  readonly name: string
  readonly ownershipModel?: OwnershipModel
}

/** The caller becomes the first owner. @throws plan_limit when the plan has no teams that retain ownership */
export function createTeam(
  em: EntityManager,
  caller: Caller,
  { name, ownershipModel }: NewTeam,
): Promise<Team> {
  refuseAny(checkTeamName(name))
  if (ownershipModel === 'team_retains' && !PLANS[caller.plan].teamRetains)
    throw refuse('plan_limit', {
      path: ['ownership_model'],
      detail: 'the plan has no teams that retain ownership',
      meta: { plan: caller.plan },
    })
  return inTransaction(em, async (tx) => {
    const made = await db(tx)
      .insertInto('teams')
      .values({ id: newUuid7(), name, ownership_model: ownershipModel ?? 'creator_retains' })
      .returningAll()
      .executeTakeFirstOrThrow()
    await makeOwner(tx, made.id, caller.userId)
    return teamOf(made)
  })
}

/**
 * @param name the name as it is when absent
 * @throws not_found when the caller is no member, forbidden for members and viewers
 */
export async function renameTeam(
  em: EntityManager,
  userId: string,
  id: string,
  name: string | undefined,
): Promise<Team> {
  if (name !== undefined) refuseAny(checkTeamName(name))
  await requireTeamRole(em, userId, id, ['owner', 'admin'])
  if (name !== undefined)
    await db(em)
      .updateTable('teams')
      .set({ name, updated_at: NOW })
      .where('id', '=', id)
      .where('name', '<>', name)
      .execute()
  return teamOf(await db(em).selectFrom('teams').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

export async function makeOwner(em: EntityManager, teamId: string, userId: string): Promise<void> {
  await db(em)
    .insertInto('memberships')
    .values({ id: newUuid7(), team_id: teamId, user_id: userId, role: 'owner' })
    .execute()
}

/** @throws not_found when the caller is no member, forbidden when the caller's role may not do it */
export async function requireTeamRole(
  em: EntityManager,
  userId: string,
  teamId: string,
  allowed: readonly Role[],
): Promise<Role> {
  const member = await db(em)
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  if (member === undefined) throw refuse('not_found')
  if (!allowed.includes(member.role)) throw refuse('forbidden')
  return member.role
}

/** Rules for a name beyond those of its kind. */
export function checkTeamName(name: string): Problem[] {
  return name.trim() === ''
    ? [
        problem('invalid_attribute', {
          path: ['name'],
          detail: 'must not be blank',
          meta: { minimum: 1, reason: 'empty' },
        }),
      ]
    : []
}
