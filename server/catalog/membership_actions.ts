// Accepts an invitation, and renews its link.

import { attribute } from '../contract/attribute.ts'
import { uuid7 } from '../contract/kinds/identifier.ts'
import { instant } from '../contract/kinds/scalar.ts'
import { text } from '../contract/kinds/text.ts'
import { resultOf, textMember } from '../contract/result_schema.ts'
import { acceptInvitation, readInvitations, reissueInvitation } from '../domain/accounts/invite_member.ts'
import { oneTimeLink } from '../domain/accounts/one_time_link.ts'
import { action } from './define.ts'

export const membershipActions = [
  action({
    name: 'acceptInvitation',
    doc: 'Makes the caller the member an invitation waits for; each link works once.',
    access: 'account',
    http: 'POST /memberships/accept',
    graphql: 'acceptInvitation',
    graphqlShape: 'mutation',
    accepts: {
      token: attribute(text({ min: 1, max: 200 }), 'What follows `#token=` in the link.', { required: true }),
    },
    run: async ({ em, caller, services }, { token }) => {
      const id = await acceptInvitation({ em }, caller.userId, token)
      services.forgetAccounts()
      return { membership_id: id }
    },
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
    graphql: 'reissueMembership',
    graphqlShape: 'mutation',
    accepts: {},
    refuses: ['conflict'],
    run: async ({ em, caller, services }, _, id) => {
      const { membershipId, token } = await reissueInvitation({ em }, caller.userId, id)
      const invitation = (await readInvitations({ em }, [membershipId])).get(membershipId)
      return {
        membership_id: membershipId,
        invitation_url: oneTimeLink(services.base(), 'invitation', token),
        invitation_expires_at: invitation?.expiresAt ?? null,
      }
    },
    result: resultOf({
      membership_id: { ...uuid7().schema, description: 'The membership that waits.' },
      invitation_url: textMember('The new link. It is shown this once.'),
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
