// A membership from GET /api/json/memberships: a member, or an invitation that waits to be accepted.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { collection, type Page, pageOf, toldOnce } from '../data/resource.ts'
import { oneOf, or, shape, text, textOrNull } from '../data/shape.ts'
import { readUsers, role } from './team.ts'

const readMembership = shape({
  id: text,
  /** Null while it is an invitation. */
  userId: textOrNull,
  role,
  state: or(oneOf(['active', 'invited']), 'active'),
  invitedEmail: textOrNull,
  invitationExpiresAt: textOrNull,
  insertedAt: text,
})

export type Membership = ReturnType<typeof readMembership> & {
  /** The member's name. Empty when there is none. */
  readonly name: string
}

export const memberships = {
  ...collection('/api/json/memberships', readMembership),
  readPage: (document: JsonValue): Page<Membership> => {
    const names = new Map(readUsers(document).map(({ id, name }) => [id, name]))
    const named = (members: unknown): Membership => {
      const membership = readMembership(members)
      return { ...membership, name: names.get(membership.userId ?? '') ?? '' }
    }
    return pageOf(named)(document)
  },
}

/** Who does not manage the team gets their own membership only. */
export const membersOf = (teamId: string) => ({ 'filter[team_id]': teamId, include: 'user' })

/** The link in the answer to an invitation, or to a request for a new link. */
export const linkOf = (answer: JsonValue): string | null => toldOnce(answer, 'invitation_url')
