// A team from GET /api/json/teams, and what a role in it permits.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { collection, includedOf } from '../data/resource.ts'
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

export const readUsers = (document: JsonValue): User[] => includedOf(document, 'user', readUser)

export const manages = (role: Role): boolean => role === 'owner' || role === 'admin'

/** Only owners make and change owners. */
export const mayGive = (role: Role): readonly Role[] =>
  role === 'owner' ? ROLES : role === 'admin' ? ROLES.filter((name) => name !== 'owner') : []
