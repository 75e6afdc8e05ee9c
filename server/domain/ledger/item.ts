// A claim about data, recorded for good: what was hashed, what it was hashed with, and where it landed.
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { Team } from '../accounts/team.ts'
import { User } from '../accounts/user.ts'
import { Block } from './block.ts'

export const ITEM_STATES = ['created', 'committed', 'redacted'] as const
export type ItemState = (typeof ITEM_STATES)[number]

export const VISIBILITIES = ['private', 'team', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/**
 * As it is shown. `claims` and `metadata` are canonical JSON text; `claims`, `hash` and the display fields are null once
 * it is redacted, and from `expires_at` on, whether or not they have been erased yet.
 */
export const Item = defineEntity({
  name: 'Item',
  tableName: 'shown_items',
  properties: {
    id: p.string().primary(),
    team: () => p.manyToOne(Team).ref(),
    creator: () => p.manyToOne(User).ref(),
    claims: p.text().nullable(),
    claimsHash: p.blob(),
    hash: p.string().nullable(),
    metadata: p.text(),
    metadataHash: p.blob(),
    itemHash: p.blob(),
    signingKeyId: p.blob(),
    signature: p.blob(),
    state: p.string().$type<ItemState>(),
    visibility: p.string().$type<Visibility>(),
    tags: p.array(),
    displayName: p.string().nullable(),
    displayDescription: p.text().nullable(),
    block: () => p.manyToOne(Block).ref().nullable(),
    leafIndex: p.integer().nullable(),
    committedAt: p.datetime(3).nullable(),
    redactedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type Item = InferEntity<typeof Item>
