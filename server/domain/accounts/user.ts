// A person, or a program that a person answers for.
import { defineEntity, p } from '@mikro-orm/core'
import type { Plan } from './plan.ts'

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.string().primary(),
    email: p.string(),
    name: p.string(),
    plan: p.string().$type<Plan>(),
    defaultTeamId: p.string().nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})
