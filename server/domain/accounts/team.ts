// Teams: groups of users that items belong to. Every user may create them; owners and admins rename them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import { TABLES } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { db, inTransaction } from '../../store/run.ts'
import { NOW } from '../../store/statement.ts'
import type { Caller } from './caller.ts'
import type { Role } from './membership.ts'
import { PLANS } from './plan.ts'

export const OWNERSHIP_MODELS = ['creator_retains', 'team_retains'] as const

export type OwnershipModel = (typeof OWNERSHIP_MODELS)[number]

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
