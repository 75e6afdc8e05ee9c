// Entities that are read one row at a time: accounts. They are written, and everything else is read and written, with
// Kysely on the tables (`store/tables`).
import type { EntitySchema } from '@mikro-orm/core'
import { ApiKey } from '../domain/accounts/api_key.ts'
import { Membership } from '../domain/accounts/membership.ts'
import { Team } from '../domain/accounts/team.ts'
import { User } from '../domain/accounts/user.ts'

export const entities: readonly EntitySchema[] = [User, Team, Membership, ApiKey]
