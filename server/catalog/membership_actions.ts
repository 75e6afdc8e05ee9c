// Accepting an invitation.
import { text } from '../contract/kind.ts'
import { attribute } from '../contract/operation.ts'
import { acceptInvitation } from '../domain/accounts/invite_member.ts'
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
  }),
]
