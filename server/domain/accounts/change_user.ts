// What people change about themselves: the names others see, and the team their requests use.
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../kernel/refusal.ts'
import { rows } from '../../store/rows.ts'
import type { Names } from './user.ts'

export interface UserChange extends Partial<Names> {
  /** A team of the user's; null for none. */
  readonly defaultTeamId?: string | null
}

/** @throws invalid_attribute for a team the user does not belong to */
export async function changeUser(
  { em }: { em: EntityManager },
  userId: string,
  { firstName, lastName, defaultTeamId }: UserChange,
): Promise<void> {
  const changed = await rows(
    em,
    `UPDATE users SET first_name = coalesce($2, first_name), last_name = coalesce($3, last_name),
            default_team_id = CASE WHEN $4 THEN $5 ELSE default_team_id END, updated_at = pharos_now()
      WHERE id = $1 AND ($5::text IS NULL OR EXISTS (
            SELECT 1 FROM memberships m WHERE m.user_id = users.id AND m.team_id = $5))
      RETURNING id`,
    [userId, firstName?.trim(), lastName?.trim(), defaultTeamId !== undefined, defaultTeamId].map(
      (value) => value ?? null,
    ),
  )
  if (changed.length === 0)
    throw refuse('invalid_attribute', { path: ['default_team_id'], detail: 'is no team of yours' })
}
