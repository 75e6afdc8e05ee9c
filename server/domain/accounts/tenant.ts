// Decides which team a request uses.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { normalizeUuid7 } from '../../../shared/proof/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type RowOf, text } from '../../store/columns.ts'
import { TABLES } from '../../store/database.ts'
import { preparedStatement, rows } from '../../store/statement.ts'
import { maySubmit } from './team.ts'

export type Tenant = ReturnType<typeof tenantFrom>

const TEAM_ROW = {
  id: text,
  name: text,
  role: TABLES.memberships.role,
  ownership_model: TABLES.teams.ownership_model,
}

/**
 * Returns the requested team's id in its canonical spelling, or undefined when none is requested.
 * @param requested text from the client
 * @throws forbidden_tenant when the text is no team id, including blank text
 */
export function readTeamId(requested: unknown): string | undefined {
  if (requested === undefined) return undefined
  const id = typeof requested === 'string' ? normalizeUuid7(requested) : undefined
  if (id === undefined) throw refuse('forbidden_tenant')
  return id
}

/**
 * Returns the requested team when the caller is a member. Without a request: the caller's default team if the caller
 * may still write there, otherwise the personal team. A missing team and a team of others give the same refusal.
 * @param requested see `readTeamId`
 */
export async function resolveTenant(
  em: EntityManager,
  userId: string,
  requested: string | undefined,
): Promise<Tenant> {
  const query =
    requested === undefined ? DEFAULT_TEAM({ userId }) : REQUESTED_TEAM({ userId, teamId: requested })
  const [team] = await rows(em, query)
  if (team === undefined) throw refuse('forbidden_tenant')
  return tenantFrom(team)
}

const tenantFrom = ({ id, name, role, ownership_model }: RowOf<typeof TEAM_ROW>) =>
  Object.freeze({ id, name, role, ownershipModel: ownership_model })

/** Owners and admins of a team that retains ownership may read and change all its items. */
export const keepsItems = ({ role, ownershipModel }: Tenant): boolean =>
  ownershipModel === 'team_retains' && (role === 'owner' || role === 'admin')

/** These memberships as they are now. Ended ones are left out. Index: memberships_user_id_team_id_key. */
export async function readTenants(
  em: EntityManager,
  pairs: readonly { readonly userId: string; readonly teamId: string }[],
): Promise<readonly { readonly userId: string; readonly tenant: Tenant }[]> {
  const members = { users: pairs.map(({ userId }) => userId), teams: pairs.map(({ teamId }) => teamId) }
  const found = await rows(em, TENANTS(members))
  return found.map((team) => ({ userId: team.user_id, tenant: tenantFrom(team) }))
}

/** @throws a refusal for viewers */
export function requireSubmitter(tenant: Tenant): void {
  if (!maySubmit(tenant.role)) throw refuse('forbidden', { detail: 'viewers cannot write in this team' })
}

const TEAM_COLUMNS = sql`t.id, t.name, m.role, t.ownership_model`

const TENANTS = preparedStatement(
  { user_id: text, ...TEAM_ROW },
  ({ users, teams }: { users: readonly string[]; teams: readonly string[] }) => sql`
  SELECT m.user_id, ${TEAM_COLUMNS}
    FROM (SELECT DISTINCT user_id, team_id FROM unnest(${users}::text[], ${teams}::text[]) AS p (user_id, team_id)) p
    JOIN memberships m ON m.user_id = p.user_id AND m.team_id = p.team_id JOIN teams t ON t.id = m.team_id`,
)

const REQUESTED_TEAM = preparedStatement(
  TEAM_ROW,
  ({ userId, teamId }: { userId: string; teamId: string }) => sql`
  SELECT ${TEAM_COLUMNS} FROM memberships m JOIN teams t ON t.id = m.team_id
   WHERE m.user_id = ${userId} AND m.team_id = ${teamId}`,
)

const DEFAULT_TEAM = preparedStatement(
  TEAM_ROW,
  ({ userId }: { userId: string }) => sql`
  SELECT ${TEAM_COLUMNS} FROM memberships m JOIN teams t ON t.id = m.team_id JOIN users u ON u.id = m.user_id
   WHERE m.user_id = ${userId}
     AND ((t.id = u.default_team_id AND m.role IN ('owner', 'admin', 'member')) OR t.personal_user_id = u.id)
   ORDER BY t.personal_user_id IS NOT DISTINCT FROM u.id
   LIMIT 1`,
)
