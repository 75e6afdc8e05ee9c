// A person, or a program that a person is responsible for.
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
    disabledAt: p.datetime(3).nullable(),
    defaultTeamId: p.string().nullable(),
    insertedAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

/** Maximum length of the first name, and of the last name. Either may be empty. */
export const NAME_LENGTH = 100

export interface Names {
  readonly firstName: string
  readonly lastName: string
}

/**
 * The full name. Without names, users see the local part of their own address.
 * @param email only when the text is shown to the user themselves
 */
export const fullName = ({ firstName, lastName }: Names, email = ''): string =>
  [firstName, lastName].filter((name) => name !== '').join(' ') || email.slice(0, email.indexOf('@'))
