// What people change about themselves: the name others see, and the team their requests use.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Problem, problem, refuse, refuseAny } from '../../kernel/refusal.ts'
import { rows } from '../../store/rows.ts'

export const USER_NAME_LENGTH = 100

export interface UserChange {
  readonly name?: string
  /** A team of the user's; null for none. */
  readonly defaultTeamId?: string | null
}

/** @throws invalid_attribute for a name that is none, or a team the user does not belong to */
export async function changeUser(
  { em }: { em: EntityManager },
  userId: string,
  wanted: UserChange,
): Promise<void> {
  if (wanted.name !== undefined) refuseAny(checkUserName(wanted.name))
  const changed = await rows(
    em,
    `UPDATE users SET name = coalesce($2, name), updated_at = pharos_now(),
            default_team_id = CASE WHEN $3 THEN $4 ELSE default_team_id END
      WHERE id = $1 AND ($4::text IS NULL OR EXISTS (
            SELECT 1 FROM memberships m WHERE m.user_id = users.id AND m.team_id = $4))
      RETURNING id`,
    [userId, wanted.name ?? null, wanted.defaultTeamId !== undefined, wanted.defaultTeamId ?? null],
  )
  if (changed.length === 0)
    throw refuse('invalid_attribute', { path: ['default_team_id'], detail: 'is no team of yours' })
}

export function checkUserName(name: string): Problem[] {
  const length = [...name.trim()].length
  return length >= 1 && length <= USER_NAME_LENGTH && !name.includes('\0')
    ? []
    : [problem('invalid_attribute', { path: ['name'], detail: `has 1 to ${USER_NAME_LENGTH} characters` })]
}
