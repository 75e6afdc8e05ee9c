// Memberships: who belongs to a team, and as what. People come in by invitation.
import type { InferEntity } from '@mikro-orm/core'
import { enumeration, instant, text, uuid7 } from '../contract/kind.ts'
import { attribute } from '../contract/operation.ts'
import { DEFAULT_PAGE, field } from '../contract/resource.ts'
import { changeRole, removeMember } from '../domain/accounts/change_membership.ts'
import { inviteMember } from '../domain/accounts/invite_member.ts'
import { Membership } from '../domain/accounts/membership.ts'
import { ROLES, type Role } from '../domain/accounts/role.ts'
import { literal, sql } from '../store/sql_text.ts'
import { resource, toOne } from './define.ts'
import { timeOf } from './show.ts'

/** An invitation shows as the membership it will become: nobody's yet. */
type MembershipRow = Omit<InferEntity<typeof Membership>, 'userId'> & {
  readonly userId: string | null
  readonly invitation?: { readonly token: string; readonly expiresAt: Date }
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/

export const membership = resource<MembershipRow>({
  type: 'membership',
  path: '/memberships',
  doc: 'The caller’s own memberships, and those of teams the caller owns or administers.',
  id: uuid7(),
  fields: {
    team_id: field(uuid7(), 'The team.', { filter: true }),
    user_id: field(uuid7(), 'The member; null while an invitation waits.', { nullable: true, filter: true }),
    role: field(enumeration(ROLES), 'Owners, admins and members may write.', { filter: true }),
    inserted_at: field(instant(), 'When it was made.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  relationships: {
    team: toOne('team_id', 'team', 'The team.'),
    user: toOne('user_id', 'user', 'The member.'),
  },
  page: DEFAULT_PAGE,
  table: 'memberships',
  hydrate: (em, columns) => em.map(Membership, columns),
  idOf: (row) => row.id,
  // A short list made once, rather than a condition judged for every membership there is.
  visible: ({ caller }, alias) => sql`${literal(alias)}.id IN (
    SELECT own.id FROM memberships own WHERE own.user_id = ${caller.userId}
    UNION SELECT managed.id FROM memberships manager JOIN memberships managed ON managed.team_id = manager.team_id
     WHERE manager.user_id = ${caller.userId} AND manager.role IN ('owner', 'admin'))`,
  show: (row) => ({
    team_id: row.teamId,
    user_id: row.userId,
    role: row.role,
    inserted_at: timeOf(row.insertedAt),
    updated_at: timeOf(row.updatedAt),
  }),
  operations: [
    {
      kind: 'list',
      renders: 'page',
      name: 'listMemberships',
      doc: 'Memberships the caller may see, newest first.',
      access: 'read',
      http: 'GET /memberships',
      graphql: 'listMemberships',
      graphqlShape: 'page',
    },
    {
      kind: 'get',
      renders: 'document',
      name: 'getMembership',
      doc: 'One of them.',
      access: 'read',
      http: 'GET /memberships/:id',
      graphql: 'getMembership',
    },
    {
      kind: 'create',
      renders: 'document',
      name: 'createMembership',
      doc: 'Invites somebody by e-mail. The answer is the same whether or not there is such an account; `meta.invitation_token` is shown once and makes whoever accepts it a member.',
      access: 'write',
      http: 'POST /memberships',
      graphql: 'createMembership',
      accepts: {
        team_id: attribute(uuid7(), 'The team.', { required: true }),
        email: attribute(text({ min: 3, max: 255 }), 'Who is invited. No mail is sent.', { required: true }),
        role: attribute(enumeration(ROLES), 'As what.', { required: true }),
      },
      check: ({ email }) => (typeof email === 'string' && !EMAIL.test(email) ? [NOT_AN_ADDRESS] : []),
      run: async ({ em, caller }, { team_id, email, role }) => {
        const invitation = await inviteMember({ em }, caller.userId, {
          teamId: team_id as string,
          email: email as string,
          role: role as Role,
        })
        const { id, teamId, token, expiresAt } = invitation
        const at = new Date()
        const pending = { id, teamId, userId: null, role: invitation.role, insertedAt: at, updatedAt: at }
        return { ...pending, invitation: { token, expiresAt } } as MembershipRow
      },
      meta: {
        fields: {
          invitation_token: {
            kind: text(),
            doc: 'Makes whoever accepts it a member. It is shown this once.',
          },
          invitation_expires_at: { kind: instant(), doc: 'When the invitation stops working.' },
        },
        of: ({ invitation }) =>
          invitation === undefined
            ? {}
            : { invitation_token: invitation.token, invitation_expires_at: timeOf(invitation.expiresAt) },
      },
    },
    {
      kind: 'update',
      renders: 'document',
      name: 'updateMembership',
      doc: 'Changes a role; owners and admins may. A team always keeps one owner.',
      access: 'write',
      http: 'PATCH /memberships/:id',
      graphql: 'updateMembership',
      accepts: { role: attribute(enumeration(ROLES), 'The new role.', { required: true }) },
      check: () => [],
      run: async (context, id, { role }) => {
        await changeRole({ em: context.em }, context.caller.userId, id, role as Role)
        context.services.forgetAccounts()
        return context.em.fork().findOneOrFail(Membership, { id })
      },
    },
    {
      kind: 'delete',
      renders: 'document',
      name: 'deleteMembership',
      doc: 'Removes a member, or leaves a team.',
      access: 'write',
      http: 'DELETE /memberships/:id',
      graphql: 'destroyMembership',
      run: async (context, id) => {
        const row = await context.em.findOne(Membership, { id })
        await removeMember({ em: context.em }, context.caller.userId, id)
        context.services.forgetAccounts()
        return row as MembershipRow
      },
    },
  ],
})

const NOT_AN_ADDRESS = {
  code: 'invalid_attribute',
  path: ['email'],
  detail: 'is not an e-mail address',
} as const
