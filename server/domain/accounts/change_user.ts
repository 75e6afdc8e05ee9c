// What users change about themselves: the names others see, and the team their requests use by default.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { refuse } from '../../kernel/refusal.ts'
import { change } from '../../store/run.ts'
import { command } from '../../store/statement.ts'
import type { Names } from './user.ts'

export interface UserChange extends Partial<Names> {
  /** A team of the user, or null for none. */
  readonly defaultTeamId?: string | null
}

/** @throws invalid_attribute when the user does not belong to the team */
export async function changeUser(
  { em }: { em: EntityManager },
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
