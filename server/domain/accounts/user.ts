// A person, or a program that a person answers for.
import { defineEntity, p } from '@mikro-orm/core'
import type { Plan } from './plan.ts'

export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.string().primary(),
    email: p.string(),
    firstName: p.string(),
    lastName: p.string(),
    plan: p.string().$type<Plan>(),
    defaultTeamId: p.string().nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** Of the first name, and of the last; either may be empty. */
export const NAME_LENGTH = 100

export interface Names {
  readonly firstName: string
  readonly lastName: string
}

/**
 * What somebody is called: by their names, and to themselves, where there are none, by the name in their address.
 * @param email where it is for the person alone
 */
export const fullName = ({ firstName, lastName }: Names, email = ''): string =>
  [firstName, lastName].filter((name) => name !== '').join(' ') || email.slice(0, email.indexOf('@'))
