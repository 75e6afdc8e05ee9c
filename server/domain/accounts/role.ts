// What a member may do in a team.

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof ROLES)[number]

const WRITING: ReadonlySet<Role> = new Set<Role>(['owner', 'admin', 'member'])

/** Owners, admins and members write; viewers read. */
export const maySubmit = (role: Role): boolean => WRITING.has(role)
