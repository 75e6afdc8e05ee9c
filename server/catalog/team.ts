// Teams, as their members see them.
import { sql } from 'kysely'
import { attribute } from '../contract/attribute.ts'
import { boolean, enumeration, instant, text, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import {
  checkTeamName,
  createTeam,
  OWNERSHIP_MODELS,
  ROLES,
  type Role,
  renameTeam,
  TEAM_NAME_LENGTH,
  type Team,
  teamOf,
} from '../domain/accounts/team.ts'
import { present } from '../kernel/present.ts'
import { db, type Sql } from '../store/statement.ts'
import { create, get, list, resource, toMany, update } from './define.ts'

const EXAMPLE = 'Analytical engines'

const membersOf = (from: string, to: string): Sql =>
  sql.raw(`EXISTS (SELECT 1 FROM memberships m WHERE m.team_id = ${from}.id AND m.user_id = ${to}.id)`)

export const team = resource<Team & { role?: Role }>()({
  type: 'team',
  path: '/teams',
  id: uuid7(),
  doc: 'A group of users that items belong to. Every account has a personal one.',
  fields: {
    name: field(text({ max: TEAM_NAME_LENGTH }), 'What its members call it.', {
      filter: true,
      sort: true,
      example: EXAMPLE,
    }),
    personal: field(boolean(), 'True for the team that came with an account.'),
    ownership_model: field(
      enumeration(OWNERSHIP_MODELS),
      'Whose its items are: their creators’, or its owners’ and admins’, who then read and change all of them.',
    ),
    role: field(enumeration(ROLES), 'The caller’s role in it.'),
    inserted_at: field(instant(), 'When it was made.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  relationships: {
    memberships: toMany('team_id', 'membership', 'Who belongs to it, as far as the caller may see.'),
    users: toMany(membersOf, 'user', 'Its members.'),
  },
  table: 'teams',
  hydrate: teamOf,
  isFew: true,
  visible: ({ caller }, alias) =>
    sql`EXISTS (SELECT 1 FROM memberships m WHERE m.team_id = ${sql.raw(alias)}.id AND m.user_id = ${caller.userId})`,
  prepare: async (teams, { em, caller }) => {
    const ids = teams.map(({ id }) => id)
    const roles = await db(em)
      .selectFrom('memberships')
      .select(['team_id', 'role'])
      .where('user_id', '=', caller.userId)
      .where('team_id', '=', sql<string>`ANY(${ids}::text[])`)
      .execute()
    const roleIn = new Map(roles.map(({ team_id, role }) => [team_id, role]))
    for (const row of teams) {
      const role = roleIn.get(row.id)
      if (role !== undefined) row.role = role
    }
  },
  show: {
    personal: ({ personalUserId }) => personalUserId !== null,
    // A user who left the team after the row was read is shown the lowest role.
    role: ({ role }) => role ?? 'viewer',
  },
  operations: [
    list({
      name: 'listTeams',
      doc: 'The caller’s teams, newest first.',
      access: 'read',
      http: 'GET /teams',
    }),
    get({
      name: 'getTeam',
      doc: 'One of them.',
      access: 'read',
      http: 'GET /teams/:id',
    }),
    create({
      name: 'createTeam',
      doc: 'Makes a team; the caller is its first owner.',
      access: 'write',
      http: 'POST /teams',
      accepts: {
        name: attribute(text({ min: 1, max: TEAM_NAME_LENGTH }), 'What its members will call it.', {
          required: true,
          example: EXAMPLE,
        }),
        ownership_model: attribute(
          enumeration(OWNERSHIP_MODELS),
          'Who may change its items: their creators (the default), or its owners and admins; not on every plan.',
          { leftOutOfExample: true },
        ),
      },
      check: ({ name }) => (name !== undefined ? checkTeamName(name) : []),
      run: ({ em, caller, services }, { name, ownership_model }) => {
        const optional = present({ ownershipModel: ownership_model })
        return services.changingAccounts(createTeam(em, caller, { name, ...optional }))
      },
    }),
    update({
      name: 'updateTeam',
      doc: 'Renames a team; its owners and admins may.',
      access: 'write',
      http: 'PATCH /teams/:id',
      accepts: {
        name: attribute(text({ min: 1, max: TEAM_NAME_LENGTH }), 'The new name.', { example: EXAMPLE }),
      },
      check: ({ name }) => (name !== undefined ? checkTeamName(name) : []),
      run: ({ em, caller, services }, id, { name }) =>
        services.changingAccounts(renameTeam(em, caller.userId, id, name)),
    }),
  ],
})
