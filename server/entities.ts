// Every entity of the house, for the one place that opens the database.
import type { EntitySchema } from '@mikro-orm/core'
import { ApiKey } from './domain/accounts/api_key.ts'
import { Membership } from './domain/accounts/membership.ts'
import { Team } from './domain/accounts/team.ts'
import { User } from './domain/accounts/user.ts'
import { Commitment } from './domain/commitments/commitment.ts'
import { Epoch } from './domain/commitments/epoch.ts'
import { Block } from './domain/ledger/block.ts'
import { Item } from './domain/ledger/item.ts'
import { Observation } from './domain/ledger/observation.ts'

export const entities: readonly EntitySchema[] = [
  User,
  Team,
  Membership,
  ApiKey,
  Block,
  Item,
  Observation,
  Epoch,
  Commitment,
]
