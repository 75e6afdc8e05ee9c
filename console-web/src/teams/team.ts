// A team from GET /api/json/teams, what a role in it permits, and a membership from GET /api/json/memberships: a member, or an
// invitation that waits to be accepted.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { collection, includedOf, type Page, pageOf } from '../data/resource.ts'
import { called, isTrue, oneOf, or, shape, text, textOrNull } from '../data/shape.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof ROLES)[number]

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything, also owners',
  admin: 'Admin: members and the name',
  member: 'Member: submits and changes',
  viewer: 'Viewer: only reads',
}

/** A role that this page does not know permits nothing here. */
export const role = or(oneOf(ROLES), 'viewer')

const readTeam = shape({
  id: text,
  name: text,
  /** It came with the account, whose person stays its owner. */
  personal: isTrue,
  /** The role of the person who asks. */
  role,
})

export type Team = ReturnType<typeof readTeam>

const readUser = shape({ id: text, name: called('full_name', or(textOrNull, '')) })

export type User = ReturnType<typeof readUser>

export type TeamDetail = Team & { readonly users: readonly User[] }

export const teams = collection('/api/json/teams', readTeam)

export const readTeamDetail = (document: JsonValue): TeamDetail => ({
  ...teams.readOne(document),
  users: readUsers(document),
})

const readUsers = (document: JsonValue): User[] => includedOf(document, 'user', readUser)

export const manages = (role: Role): boolean => role === 'owner' || role === 'admin'

/** Only owners make and change owners. */
export const mayGive = (role: Role): readonly Role[] =>
  role === 'owner' ? ROLES : role === 'admin' ? ROLES.filter((name) => name !== 'owner') : []

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
