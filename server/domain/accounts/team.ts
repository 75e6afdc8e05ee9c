// A group of users that items belong to. Every user has a personal team.
import { defineEntity, p } from '@mikro-orm/core'

export const OWNERSHIP_MODELS = ['creator_retains', 'team_retains'] as const

export type OwnershipModel = (typeof OWNERSHIP_MODELS)[number]

export const Team = defineEntity({
  name: 'Team',
  tableName: 'teams',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    personalUserId: p.string().nullable(),
    ownershipModel: p.string().$type<OwnershipModel>(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})
