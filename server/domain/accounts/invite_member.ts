// Invitations: a one-time link makes whoever opens it a member. The answer never tells whether an account exists.
import { createHash, randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { refuse } from '../../kernel/refusal.ts'
import { inTransaction, rows } from '../../store/rows.ts'
import { requireTeamRole } from './change_team.ts'
import type { Role } from './role.ts'

const VALID_DAYS = 7

export interface Invitation {
  readonly id: string
  readonly teamId: string
  readonly role: Role
  /** Goes into the link, once; only its hash is stored. */
  readonly token: string
  readonly expiresAt: Date
}

/** Owners and admins invite; only owners make owners. @throws not_found, forbidden */
export async function inviteMember(
  { em }: { em: EntityManager },
  userId: string,
  { teamId, email, role }: { teamId: string; email: string; role: Role },
): Promise<Invitation> {
  await requireTeamRole({ em }, userId, teamId, role === 'owner' ? ['owner'] : ['owner', 'admin'])
  const id = newUuid7()
  const token = randomBytes(32).toString('base64url')
  const [made] = await rows<{ expires_at: string }>(
    em,
    `INSERT INTO invitations (id, team_id, email, role, token_hash, invited_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, pharos_now() + $7 * interval '1 day') RETURNING iso_time(expires_at) AS expires_at`,
    [id, teamId, email.toLowerCase(), role, hashOf(token), userId, VALID_DAYS],
  )
  return { id, teamId, role, token, expiresAt: new Date(made?.expires_at ?? 0) }
}

/**
 * Makes the caller a member, once per invitation; a member already keeps the role there is. Answers the membership's id.
 * An invitation is worth no more than its inviter: whoever is removed does not come back by one of their own.
 * @throws not_found for an invitation that is unknown, used or too old, or whose inviter may not invite any more
 */
export function acceptInvitation(
  { em }: { em: EntityManager },
  userId: string,
  token: string,
): Promise<string> {
  return inTransaction(em, async (tx) => {
    const [invitation] = await rows<{ team_id: string; role: Role }>(
      tx,
      `UPDATE invitations SET used_at = pharos_now(), used_by = $2
        WHERE token_hash = $1 AND used_at IS NULL AND expires_at > pharos_now()
          AND EXISTS (SELECT 1 FROM memberships inviter
                       WHERE inviter.team_id = invitations.team_id AND inviter.user_id = invitations.invited_by
                         AND (inviter.role = 'owner' OR inviter.role = 'admin' AND invitations.role <> 'owner'))
        RETURNING team_id, role`,
      [hashOf(token), userId],
    )
    if (invitation === undefined) throw refuse('not_found', { detail: 'no such invitation' })
    const [member] = await rows<{ id: string }>(
      tx,
      `INSERT INTO memberships (id, team_id, user_id, role) VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id, team_id) DO UPDATE SET role = memberships.role RETURNING id`,
      [newUuid7(), invitation.team_id, userId, invitation.role],
    )
    if (member === undefined) throw new Error('The membership was not made.')
    return member.id
  })
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
