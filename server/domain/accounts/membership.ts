// A user's role in a team. An open invitation is a membership without a user.

import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { RowOf } from '../../store/columns.ts'
import type { TABLES } from '../../store/database.ts'
import type { Role } from './role.ts'

export const MEMBERSHIP_STATES = ['invited', 'active'] as const

export type MembershipState = (typeof MEMBERSHIP_STATES)[number]

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    userId: p.string().nullable(),
    role: p.string().$type<Role>(),
    state: p.string().$type<MembershipState>(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** The written row as the write returns it. A later read could find it deleted. */
export const writtenMembership = (
  em: EntityManager,
  written: RowOf<typeof TABLES.memberships>,
): InferEntity<typeof Membership> => em.map(Membership, { ...written })
