// Who belongs to a team, and as what.
import { defineEntity, p } from '@mikro-orm/core'
import type { Role } from './role.ts'

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    id: p.string().primary(),
    teamId: p.string(),
    userId: p.string(),
    role: p.string().$type<Role>(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})
