// Browser sessions of the caller. Deleting one signs that browser out.
import { sql } from 'kysely'
import { boolean, instant, text, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import { endOwnSession, type SessionRow, sessionOf, sessionOfToken } from '../domain/oauth/session.ts'
import { get, list, remove, resource } from './define.ts'

const USER_AGENT_LENGTH = 300
const ADDRESS_LENGTH = 45

type Shown = SessionRow & { isCurrent?: boolean }

export const session = resource<Shown>()({
  type: 'session',
  path: '/sessions',
  doc: 'A browser in which the caller is signed in.',
  id: uuid7(),
  fields: {
    user_agent: field(text({ max: USER_AGENT_LENGTH }), 'What the browser calls itself.', {
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    }),
    address: field(text({ max: ADDRESS_LENGTH }), 'The address that the sign-in came from.', {
      example: '203.0.113.7',
    }),
    current: field(boolean(), 'The request was made in this session.'),
    last_used_at: field(instant(), 'When a client last got a token in it.'),
    inserted_at: field(instant(), 'When the person signed in.'),
    expires_at: field(instant(), 'When it ends by itself.'),
  },
  table: 'oauth_sessions',
  hydrate: sessionOf,
  visible: ({ caller }, alias) =>
    sql`${sql.raw(alias)}.user_id = ${caller.userId} AND ${sql.raw(alias)}.expires_at > (SELECT pharos_now())`,
  prepare: async (sessions, context) => {
    const { credential } = context.caller
    if (credential.kind !== 'access_token') return
    const own = await sessionOfToken(context.em, credential.id)
    for (const row of sessions) row.isCurrent = row.id === own
  },
  show: { current: ({ isCurrent }) => isCurrent === true },
  operations: [
    list({
      name: 'listSessions',
      doc: 'The browsers in which the caller is signed in, newest first.',
      access: 'account',
      http: 'GET /sessions',
    }),
    get({
      name: 'getSession',
      doc: 'One of them.',
      access: 'account',
      http: 'GET /sessions/:id',
    }),
    remove({
      name: 'deleteSession',
      doc: 'Signs the browser out. What the console was doing there ends within a minute.',
      access: 'account',
      http: 'DELETE /sessions/:id',
      graphql: 'destroySession',
      run: ({ em, caller, services }, id) =>
        services.changingAccounts(endOwnSession(em, { userId: caller.userId, id })),
    }),
  ],
})
