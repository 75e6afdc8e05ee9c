// What the caller allowed applications to do. Deleting one takes all of it back.
import { sql } from 'kysely'
import { instant, text, textList, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import { FIRST_PARTY_CLIENT } from '../domain/accounts/scope.ts'
import { type GrantRow, grantOf, revokeOwnGrant } from '../domain/oauth/grant.ts'
import { get, list, remove, resource } from './define.ts'

/** Of an id, which may be the address of a document, and of a host. */
const CLIENT_ID_LENGTH = 2_048
const NAME_LENGTH = 100
const HOST_LENGTH = 2_048

const SCOPES = { items: 20, length: 100 } as const

export const allowedApplication = resource<GrantRow>()({
  type: 'allowed_application',
  path: '/allowed-applications',
  doc: 'An application that the caller allowed to use the account, in one browser session. Our own console is none.',
  id: uuid7(),
  fields: {
    client_id: field(text({ max: CLIENT_ID_LENGTH }), 'Which client it is.', {
      example: '019abcde-0000-7000-8000-000000000000',
    }),
    client_name: field(text({ max: NAME_LENGTH }), 'What it called itself when it was allowed.', {
      example: 'A backup program',
    }),
    redirect_host: field(text({ max: HOST_LENGTH }), 'The host that the answer went to.', {
      example: 'app.example.com',
    }),
    scopes: field(textList(SCOPES), 'What it may do.', { example: ['api:read'] }),
    resources: field(
      textList({ items: 2, length: 300 }),
      'Where it may do it: the address of the API, or of the agent tools.',
      {
        example: ['https://pharos.example'],
      },
    ),
    last_used_at: field(instant(), 'To the minute; null when it was not used yet.', { nullable: true }),
    inserted_at: field(instant(), 'When it was allowed.'),
    expires_at: field(instant(), 'When it ends unless it is used again.'),
  },
  table: 'oauth_grants',
  hydrate: grantOf,
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.user_id = ${caller.userId}
    AND ${sql.raw(alias)}.client_id <> ${FIRST_PARTY_CLIENT}
    AND ${sql.raw(alias)}.expires_at > (SELECT pharos_now())`,
  show: {
    resources: ({ scopes }, { services }) => [
      ...(scopes.some((scope) => !isForAgents(scope)) ? [services.base()] : []),
      ...(scopes.some(isForAgents) ? [`${services.base()}/mcp`] : []),
    ],
  },
  operations: [
    list({
      name: 'listAllowedApplications',
      doc: 'What the caller allowed applications, newest first.',
      access: 'account',
      http: 'GET /allowed-applications',
    }),
    get({
      name: 'getAllowedApplication',
      doc: 'One of them.',
      access: 'account',
      http: 'GET /allowed-applications/:id',
    }),
    remove({
      name: 'deleteAllowedApplication',
      doc: 'Takes it back: every token of it ends within a minute.',
      access: 'account',
      http: 'DELETE /allowed-applications/:id',
      graphql: 'destroyAllowedApplication',
      run: ({ em, caller, services }, id) =>
        services.changingAccounts(revokeOwnGrant(em, { userId: caller.userId, id })),
    }),
  ],
})

const isForAgents = (scope: string): boolean => scope.startsWith('mcp:')
