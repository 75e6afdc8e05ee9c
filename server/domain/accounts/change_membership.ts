// Who stays in a team, and as what. A team always keeps one owner.
import type { InferEntity } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { refuse } from '../../kernel/refusal.ts'
import { inTransaction, rows } from '../../store/rows.ts'
import { type Membership, writtenMembership } from './membership.ts'
import type { Role } from './role.ts'

interface Managed {
  readonly team_id: string
  /** Null while it waits for somebody. */
  readonly user_id: string | null
  readonly role: Role
  readonly manager_role: Role | null
}

/** Owners and admins change roles; only owners make or unmake owners. @throws not_found, forbidden, conflict */
export function changeRole(
  { em }: { em: EntityManager },
  userId: string,
  id: string,
  role: Role,
): Promise<InferEntity<typeof Membership>> {
  return inTransaction(em, async (tx) => {
    const membership = await lockManaged(tx, userId, id, { leaving: false })
    if ((role === 'owner' || membership.role === 'owner') && membership.manager_role !== 'owner')
      throw refuse('forbidden')
    if (role !== 'owner') await keepPersonal(tx, membership)
    if (membership.role === 'owner' && role !== 'owner') await keepAnOwner(tx, membership, id)
    // What an invitation is worth is measured by whoever decided it last.
    await rows(tx, 'UPDATE invitations SET invited_by = $2 WHERE membership_id = $1', [id, userId])
    return writtenMembership(
      tx,
      'UPDATE memberships SET role = $2, updated_at = pharos_now() WHERE id = $1 RETURNING *',
      [id, role],
    )
  })
}

/** Owners and admins remove members and withdraw invitations, and anybody may leave. @throws not_found, forbidden, conflict */
export function removeMember({ em }: { em: EntityManager }, userId: string, id: string): Promise<void> {
  return inTransaction(em, async (tx) => {
    const membership = await lockManaged(tx, userId, id, { leaving: true })
    const isSelf = membership.user_id === userId
    if (membership.role === 'owner' && !isSelf && membership.manager_role !== 'owner')
      throw refuse('forbidden')
    await keepPersonal(tx, membership)
    if (membership.role === 'owner') await keepAnOwner(tx, membership, id)
    await rows(tx, 'DELETE FROM memberships WHERE id = $1', [id])
  })
}

/** The team's row is the lock: two owners who leave at once do so one after the other. Submissions pass it. */
export async function lockManaged(
  em: EntityManager,
  userId: string,
  id: string,
  { leaving }: { leaving: boolean },
): Promise<Managed> {
  await rows(
    em,
    'SELECT 1 FROM teams WHERE id = (SELECT team_id FROM memberships WHERE id = $1) FOR NO KEY UPDATE',
    [id],
  )
  const [found] = await rows<Managed>(
    em,
    `SELECT m.team_id, m.user_id, m.role, mine.role AS manager_role
       FROM memberships m LEFT JOIN memberships mine ON mine.team_id = m.team_id AND mine.user_id = $2
      WHERE m.id = $1`,
    [id, userId],
  )
  const isSelf = found?.user_id === userId
  const manages = found?.manager_role === 'owner' || found?.manager_role === 'admin'
  if (found === undefined || (!isSelf && !manages)) throw refuse('not_found')
  if (!manages && !leaving) throw refuse('forbidden')
  return found
}

/** Requests without a tenant fall back on the personal team: its person stays in it, as its owner. */
async function keepPersonal(em: EntityManager, { team_id, user_id }: Managed): Promise<void> {
  const personal = await rows(em, 'SELECT 1 FROM teams WHERE id = $1 AND personal_user_id = $2', [
    team_id,
    user_id,
  ])
  if (personal.length > 0) throw refuse('conflict', { detail: 'everybody stays owner of the personal team' })
}

async function keepAnOwner(
  em: EntityManager,
  { team_id, user_id }: Managed,
  leavingId: string,
): Promise<void> {
  if (user_id === null) return
  const others = await rows(
    em,
    `SELECT 1 FROM memberships
      WHERE team_id = $1 AND role = 'owner' AND id <> $2 AND state = 'active' LIMIT 1`,
    [team_id, leavingId],
  )
  if (others.length === 0) throw refuse('conflict', { detail: 'a team always keeps one owner' })
}
