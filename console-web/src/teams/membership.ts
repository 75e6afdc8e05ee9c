// A membership from GET /api/json/memberships: a member, or an invitation that waits to be accepted.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { objectAt, textAt } from '../data/json_object.ts'
import { type Page, type Resource, readPage, textOf, textOrNull } from '../data/resource.ts'
import { type Role, readUsers, roleOf } from './team.ts'

export type Membership = {
  readonly id: string
  /** Null while it is an invitation. */
  readonly userId: string | null
  readonly role: Role
  readonly state: 'active' | 'invited'
  /** The member's name. Empty when there is none. */
  readonly name: string
  readonly invitedEmail: string | null
  readonly invitationExpiresAt: string | null
  readonly insertedAt: string
}

export const MEMBERSHIPS_PATH = '/api/json/memberships'

export const membershipPath = (id: string): string => `${MEMBERSHIPS_PATH}/${encodeURIComponent(id)}`

/** Who does not manage the team gets their own membership only. */
export const membersPath = (teamId: string): string =>
  `${MEMBERSHIPS_PATH}?filter[team_id]=${encodeURIComponent(teamId)}&include=user&page[limit]=50`

export const readMemberPage = (document: JsonValue): Page<Membership> => {
  const names = new Map(readUsers(document).map(({ id, name }) => [id, name]))
  return readPage((resource): Membership => readMembership(resource, names))(document)
}

const readMembership = (resource: Resource, names: ReadonlyMap<string, string>): Membership => {
  const userId = textOrNull(resource, 'user_id')
  return {
    id: resource.id,
    userId,
    role: roleOf(resource),
    state: textOf(resource, 'state') === 'invited' ? 'invited' : 'active',
    name: userId === null ? '' : (names.get(userId) ?? ''),
    invitedEmail: textOrNull(resource, 'invited_email'),
    invitationExpiresAt: textOrNull(resource, 'invitation_expires_at'),
    insertedAt: textOf(resource, 'inserted_at'),
  }
}

export const invitation = (teamId: string, email: string, role: Role): object => ({
  data: { type: 'membership', attributes: { team_id: teamId, email: email.trim(), role } },
})

export const roleChange = (id: string, role: Role): object => ({
  data: { type: 'membership', id, attributes: { role } },
})

/** The link in the answer to an invitation, or to a request for a new link. */
export const linkOf = (document: JsonValue): string | null =>
  textAt(objectAt(document, 'meta'), 'invitation_url') ??
  textAt(objectAt(document, 'result'), 'invitation_url')
