// Memberships: which user belongs to which team, in which role. Users join by invitation.
import { sql } from 'kysely'
import { attribute } from '../contract/attribute.ts'
import { enumeration, instant, text, uuid7 } from '../contract/kinds.ts'
import { resultOf, textResult } from '../contract/operation.ts'
import { field } from '../contract/resource.ts'
import {
  acceptInvitation,
  inviteMember,
  MAX_INVITED,
  readInvitations,
  reissueInvitation,
} from '../domain/accounts/invite_member.ts'
import { oneTimeLink } from '../domain/accounts/one_time_link.ts'
import {
  changeRole,
  MEMBERSHIP_STATES,
  type Membership,
  membershipOf,
  ROLES,
  removeMember,
} from '../domain/accounts/team.ts'
import { isEmail } from '../domain/accounts/user.ts'
import { action, create, get, list, remove, resource, toOne, update } from './define.ts'

export const membershipActions = [
  action({
    name: 'acceptInvitation',
    doc: 'Makes the caller the member an invitation waits for; each link works once.',
    access: 'account',
    http: 'POST /memberships/accept',
    graphqlShape: 'mutation',
    accepts: {
      token: attribute(text({ min: 1, max: 200 }), 'What follows `#token=` in the link.', { required: true }),
    },
    run: async ({ em, caller, services }, { token }) => ({
      membership_id: await services.changingAccounts(acceptInvitation(em, caller.userId, token)),
    }),
    result: resultOf({
      membership_id: { ...uuid7().schema, description: 'The membership that there is now.' },
    }),
    example: {
      data: { token: 'the token of the invitation' },
      result: { membership_id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d' },
    },
  }),
  action({
    name: 'reissueMembership',
    doc: 'Makes a new link for an invitation that waits, shown this once; the old one stops working. Owners and admins may.',
    access: 'account',
    http: 'POST /memberships/:id/reissue',
    graphqlShape: 'mutation',
    accepts: {},
    refuses: ['conflict'],
    run: async ({ em, caller, services }, _, id) => {
      const { membershipId, token } = await reissueInvitation(em, caller.userId, id)
      const invitation = (await readInvitations(em, [membershipId])).get(membershipId)
      return {
        membership_id: membershipId,
        invitation_url: oneTimeLink(services.base(), 'invitation', token),
        invitation_expires_at: invitation?.expiresAt ?? null,
      }
    },
    result: resultOf({
      membership_id: { ...uuid7().schema, description: 'The membership that waits.' },
      invitation_url: textResult('The new link. It is shown this once.'),
      invitation_expires_at: { ...instant().schema, description: 'When it stops working.' },
    }),
    example: {
      data: {},
      result: {
        membership_id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
        invitation_url: 'https://pharos.example/oauth/invitation#token=…',
        invitation_expires_at: '2026-11-27T18:00:00.123Z',
      },
    },
  }),
]

/**
 * While an invitation is open, it shows the address and the expiry. Only the answer that
 * creates the link contains it.
 */
type MembershipRow = Membership & {
  invitation?: { readonly email: string; readonly expiresAt: string }
  readonly link?: string
}

const EMAIL_LENGTH = 255

export const membership = resource<MembershipRow>()({
  type: 'membership',
  path: '/memberships',
  doc: 'The caller’s own memberships, and those of teams the caller owns or administers.',
  id: uuid7(),
  fields: {
    team_id: field(uuid7(), 'The team.', { filter: true }),
    user_id: field(uuid7(), 'The member; null while invited.', { nullable: true, filter: true }),
    role: field(enumeration(ROLES), 'Owners, admins and members may write.', { filter: true }),
    state: field(
      enumeration(MEMBERSHIP_STATES),
      '`invited` until somebody accepts, then `active` under the same id. Invited, it gives access to nothing.',
      { filter: true, example: 'active' },
    ),
    invited_email: field(
      text({ max: EMAIL_LENGTH }),
      'Whom an invitation is meant for; null once it is accepted.',
      { nullable: true, example: 'grace@example.com' },
    ),
    invitation_expires_at: field(instant(), 'When its link stops working; null once it is accepted.', {
      nullable: true,
    }),
    inserted_at: field(instant(), 'When it was made.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  relationships: {
    team: toOne('team_id', 'team', 'The team.'),
    user: toOne('user_id', 'user', 'The member.'),
  },
  table: 'memberships',
  hydrate: membershipOf,
  prepare: async (memberships, { em }) => {
    const waiting = memberships.filter(({ state }) => state === 'invited')
    if (waiting.length === 0) return
    const invitations = await readInvitations(
      em,
      waiting.map(({ id }) => id),
    )
    for (const row of waiting) {
      const invitation = invitations.get(row.id)
      if (invitation !== undefined) row.invitation = invitation
    }
  },
  isFew: true,
  // The subquery runs once per statement. A correlated condition would run for every membership in the table.
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.id IN (
    SELECT own.id FROM memberships own WHERE own.user_id = ${caller.userId}
    UNION SELECT managed.id FROM memberships manager JOIN memberships managed ON managed.team_id = manager.team_id
     WHERE manager.user_id = ${caller.userId} AND manager.role IN ('owner', 'admin'))`,
  show: {
    invited_email: ({ invitation }) => invitation?.email ?? null,
    invitation_expires_at: ({ invitation }) => invitation?.expiresAt ?? null,
  },
  operations: [
    list({
      name: 'listMemberships',
      doc: 'Memberships the caller may see, newest first.',
      access: 'read',
      http: 'GET /memberships',
    }),
    get({
      name: 'getMembership',
      doc: 'One of them.',
      access: 'read',
      http: 'GET /memberships/:id',
    }),
    create({
      name: 'createMembership',
      doc: `Invites somebody by e-mail: makes the membership, with nobody in it yet. The answer is the same whether or not there is such an account; \`meta.invitation_url\` is shown once and makes whoever accepts it the member. At most ${MAX_INVITED} wait in one team.`,
      access: 'account',
      http: 'POST /memberships',
      accepts: {
        team_id: attribute(uuid7(), 'The team.', { required: true }),
        email: attribute(text({ min: 3, max: EMAIL_LENGTH }), 'Who is invited. No mail is sent.', {
          required: true,
          example: 'ada@example.com',
        }),
        role: attribute(enumeration(ROLES), 'As what.', { required: true }),
      },
      check: ({ email }) => (email !== undefined && !isEmail(email) ? [NOT_AN_ADDRESS] : []),
      run: async ({ em, caller, services }, { team_id, email, role }) => {
        const { membership: row, token } = await inviteMember(em, caller.userId, {
          teamId: team_id,
          email,
          role,
        })
        return Object.assign(row, { link: oneTimeLink(services.base(), 'invitation', token) })
      },
      meta: {
        fields: {
          invitation_url: {
            kind: text({ max: 2_048 }),
            doc: 'Makes whoever opens it and accepts the member, once. It is shown this once.',
            example: 'https://pharos.example/oauth/invitation#token=…',
          },
        },
        of: ({ link }) => (link === undefined ? {} : { invitation_url: link }),
      },
    }),
    update({
      name: 'updateMembership',
      doc: 'Changes a role; owners and admins may. A team always keeps one owner.',
      access: 'account',
      http: 'PATCH /memberships/:id',
      accepts: { role: attribute(enumeration(ROLES), 'The new role.', { required: true }) },
      run: ({ em, caller, services }, id, { role }) =>
        services.changingAccounts(changeRole(em, caller.userId, id, role)),
    }),
    remove({
      name: 'deleteMembership',
      doc: 'Removes a member, withdraws an invitation, or leaves a team.',
      access: 'account',
      http: 'DELETE /memberships/:id',
      graphql: 'destroyMembership',
      run: async ({ em, caller, services }, id) => {
        const invitation = (await readInvitations(em, [id])).get(id)
        const removed = await services.changingAccounts(removeMember(em, caller.userId, id))
        return { ...removed, ...(invitation === undefined ? {} : { invitation }) }
      },
    }),
  ],
})

const NOT_AN_ADDRESS = {
  code: 'invalid_attribute',
  path: ['email'],
  detail: 'is not an e-mail address',
} as const
