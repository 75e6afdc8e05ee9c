// Accepting an invitation.
import { text, uuid7 } from '../contract/kind.ts'
import { attribute } from '../contract/operation.ts'
import { acceptInvitation } from '../domain/accounts/invite_member.ts'
import { resultOf } from '../domain/utilities/action.ts'
import { action } from './define.ts'

export const membershipActions = [
  action({
    name: 'acceptInvitation',
    doc: 'Makes the caller a member of the team an invitation is for; each invitation works once.',
    access: 'write',
    http: 'POST /memberships/accept',
    graphql: 'acceptInvitation',
    graphqlShape: 'mutation',
    accepts: { token: attribute(text({ min: 1, max: 200 }), 'The invitation token.', { required: true }) },
    run: async ({ em, caller, services }, { token }) => {
      const id = await acceptInvitation({ em }, caller.userId, token as string)
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
]
