// A team from GET /api/json/teams, and what a role in it permits.

import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { memberOf } from '../../../shared/proof/json_value.ts'
import { type Resource, readDocument, readIncluded, readPage, textOf, textOrNull } from '../data/resource.ts'

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof ROLES)[number]

export const isRole = (name: string): name is Role => ROLES.some((role) => role === name)

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner: everything, also owners',
  admin: 'Admin: members and the name',
  member: 'Member: submits and changes',
  viewer: 'Viewer: only reads',
}

export type Team = {
  readonly id: string
  readonly name: string
  /** It came with the account, whose person stays its owner. */
  readonly personal: boolean
  /** The role of the person who asks. */
  readonly role: Role
}

export type TeamDetail = Team & { readonly users: readonly User[] }

export type User = { readonly id: string; readonly name: string }

export const TEAMS_PATH = '/api/json/teams'

export const teamPath = (id: string): string => `${TEAMS_PATH}/${encodeURIComponent(id)}`

const readTeam = (resource: Resource): Team => ({
  id: resource.id,
  name: textOf(resource, 'name'),
  personal: memberOf(resource.attributes, 'personal') === true,
  role: roleOf(resource),
})

export const readTeamPage = readPage(readTeam)

export const readTeamDocument = (document: JsonValue): Team => readTeam(readDocument(document))

export const readTeamDetail = (document: JsonValue): TeamDetail => ({
  ...readTeamDocument(document),
  users: readUsers(document),
})

export const readUsers = (document: JsonValue): User[] =>
  readIncluded(document, 'user').map((resource) => ({
    id: resource.id,
    name: textOrNull(resource, 'full_name') ?? '',
  }))

/** A role that this page does not know permits nothing here. */
export const roleOf = (resource: Resource): Role => {
  const role = textOf(resource, 'role')
  return isRole(role) ? role : 'viewer'
}

export const manages = (role: Role): boolean => role === 'owner' || role === 'admin'

/** Only owners make and change owners. */
export const mayGive = (role: Role): readonly Role[] =>
  role === 'owner' ? ROLES : role === 'admin' ? ROLES.filter((name) => name !== 'owner') : []
