// Entities that are read and written one row at a time: accounts. Everything else works on sets and uses tables only.
import type { EntitySchema } from '@mikro-orm/core'
import { ApiKey } from './domain/accounts/api_key.ts'
import { Membership } from './domain/accounts/membership.ts'
import { Team } from './domain/accounts/team.ts'
import { User } from './domain/accounts/user.ts'

export const entities: readonly EntitySchema[] = [User, Team, Membership, ApiKey]
