// Users: the caller, who may change the password, and everybody who shares a team with the caller.
import { sql } from 'kysely'
import { attribute } from '../contract/attribute.ts'
import { enumeration, instant, secretText, text, timeOf, uuid7 } from '../contract/kinds.ts'
import { resultOf } from '../contract/operation.ts'
import { findRow } from '../contract/page.ts'
import { field, type Resource } from '../contract/resource.ts'
import { PASSWORD_LENGTH } from '../domain/accounts/password.ts'
import type { Plan } from '../domain/accounts/plan.ts'
import { changeUser, fullName, NAME_LENGTH, readUser, type User, userOf } from '../domain/accounts/user.ts'
import { present } from '../kernel/present.ts'
import { found, refuse } from '../kernel/refusal.ts'
import type { Context } from './context.ts'
import { action, get, list, resource, update } from './define.ts'

export const passwordActions = [
  action({
    name: 'changePassword',
    doc: 'Changes the caller’s password. Every other browser session ends, and everything that applications were allowed; API keys stay.',
    access: 'account',
    http: 'POST /users/me/password',
    graphqlShape: 'mutation',
    accepts: {
      current_password: attribute(secretText({ max: PASSWORD_LENGTH.most }), 'The password until now.', {
        required: true,
        example: 'correct horse battery',
      }),
      new_password: attribute(
        secretText({ max: PASSWORD_LENGTH.most }),
        `At least ${PASSWORD_LENGTH.least} characters, any of them.`,
        { required: true, example: 'staple lantern harbour' },
      ),
    },
    refuses: ['conflict'],
    run: async ({ caller, services }, { current_password, new_password }) => {
      const { id, kind } = caller.credential
      const change = services.changePassword({
        userId: caller.userId,
        currentPassword: current_password,
        newPassword: new_password,
        tokenId: kind === 'access_token' ? id : undefined,
      })
      const changedAt = await services.changingAccounts(change)
      return { password_changed_at: timeOf(changedAt) }
    },
    result: resultOf({
      password_changed_at: { ...instant().schema, description: 'When the new password became valid.' },
    }),
    example: {
      data: { current_password: 'correct horse battery', new_password: 'staple lantern harbour' },
      result: { password_changed_at: '2026-11-20T18:00:00.123Z' },
    },
  }),
]

const PLAN_NAMES: readonly [Plan, ...Plan[]] = ['free', 'developer', 'business', 'enterprise']

export const user: Resource<User, Context> = resource<User>()({
  type: 'user',
  path: '/users',
  id: uuid7(),
  doc: 'A person, or a program that a person answers for.',
  fields: {
    first_name: field(text({ max: NAME_LENGTH }), 'May be empty.', {
      example: 'Ada',
      graphql: { nullable: true },
    }),
    last_name: field(text({ max: NAME_LENGTH }), 'May be empty.', {
      example: 'Lovelace',
      graphql: { nullable: true },
    }),
    full_name: field(
      text({ max: 255 }),
      'The names there are; of the caller, where there are none, the part of the address before `@`.',
      { example: 'Ada Lovelace', graphql: { nullable: true } },
    ),
    email: field(text({ max: 255 }), 'Only of the caller.', {
      nullable: true,
      withheld: true,
      example: 'ada@example.com',
    }),
    plan: field(enumeration(PLAN_NAMES), 'Only of the caller.', {
      nullable: true,
      withheld: true,
      graphql: { asText: true },
    }),
    default_team_id: field(uuid7(), 'Only of the caller: the team that requests without a tenant use.', {
      nullable: true,
      withheld: true,
    }),
    inserted_at: field(instant(), 'When the account was made.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  table: 'users',
  hydrate: userOf,
  isFew: true,
  // The subquery runs once per statement. A correlated condition would run for every user in the table.
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.id IN (
    SELECT ${caller.userId}::text
    UNION SELECT theirs.user_id FROM memberships mine JOIN memberships theirs ON theirs.team_id = mine.team_id
     WHERE mine.user_id = ${caller.userId})`,
  show: {
    full_name: (row, context) => fullName(row, isCaller(row, context) ? (row.email ?? undefined) : undefined),
    email: (row, context) => (isCaller(row, context) ? row.email : undefined),
    plan: (row, context) => (isCaller(row, context) ? row.plan : undefined),
    default_team_id: (row, context) => (isCaller(row, context) ? (row.defaultTeamId ?? null) : undefined),
  },
  operations: [
    list({
      name: 'listUsers',
      doc: 'The caller, and the members of teams the caller shares.',
      access: 'read',
      http: 'GET /users',
    }),
    get({
      name: 'currentUser',
      doc: 'The caller. An answer confirms the credential.',
      access: 'read',
      http: 'GET /users/me',
      tool: {
        name: 'current_user',
        title: 'Get the current user',
        doc: 'The person whom you act for: names, email, plan and default team.',
      },
      find: ({ em, caller }) => readUser(em, caller.userId),
    }),
    get({
      name: 'getUser',
      doc: 'The caller, or somebody the caller shares a team with.',
      access: 'read',
      http: 'GET /users/:id',
    }),
    update({
      name: 'updateUser',
      doc: 'Changes the caller’s own names or default team.',
      access: 'write',
      http: 'PATCH /users/:id',
      accepts: {
        first_name: attribute(text({ max: NAME_LENGTH }), 'What others see; may be empty.', {
          example: 'Ada',
        }),
        last_name: attribute(text({ max: NAME_LENGTH }), 'What others see; may be empty.', {
          example: 'Lovelace',
        }),
        default_team_id: attribute(
          uuid7(),
          'The team that requests without a tenant use; null for the personal one.',
          { nullable: true, leftOutOfExample: true },
        ),
      },
      run: async (context, id, { first_name, last_name, default_team_id }) => {
        found(await findRow(user, context, id))
        if (id !== context.caller.userId)
          throw refuse('forbidden', { detail: 'only the caller’s own record can be changed' })
        const change = { firstName: first_name, lastName: last_name, defaultTeamId: default_team_id }
        await context.services.changingAccounts(changeUser(context.em, id, present(change)))
        return readUser(context.em, id)
      },
    }),
  ],
})

const isCaller = ({ id }: User, { caller }: Context): boolean => id === caller.userId
