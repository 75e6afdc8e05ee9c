// API keys that belong to the caller. The secret is shown once, when the key is created.
import { sql } from 'kysely'
import { attribute } from '../contract/attribute.ts'
import { instant, text, uuid7 } from '../contract/kinds.ts'
import { field } from '../contract/resource.ts'
import {
  type ApiKey,
  apiKeyOf,
  createApiKey,
  revokeApiKey,
  SECRET_LENGTHS,
} from '../domain/accounts/api_key.ts'
import { problem } from '../kernel/refusal.ts'
import { create, get, list, remove, resource } from './define.ts'
import { FAR_OFF } from './item_writes.ts'

const API_KEY_NAME_LENGTH = 100

export const apiKey = resource<ApiKey & { readonly secret?: string }>()({
  type: 'api_key',
  path: '/api-keys',
  doc: 'A credential of the caller’s account, good for everything the account may do.',
  id: uuid7(),
  fields: {
    name: field(text({ max: API_KEY_NAME_LENGTH }), 'What it is for.', { example: 'Nightly job' }),
    prefix: field(text({ max: SECRET_LENGTHS.shown }), 'How it begins, to recognise it by.', {
      example: 'phk_3vQb',
    }),
    last_used_at: field(instant(), 'To the minute.', { nullable: true }),
    expires_at: field(instant(), 'When it stops working by itself.', { nullable: true, example: FAR_OFF }),
    revoked_at: field(instant(), 'When it was revoked.', { nullable: true }),
    inserted_at: field(instant(), 'When it was made.'),
    updated_at: field(instant(), 'When it last changed.'),
  },
  table: 'api_keys',
  hydrate: apiKeyOf,
  visible: ({ caller }, alias) => sql`${sql.raw(alias)}.user_id = ${caller.userId}`,
  operations: [
    list({
      name: 'listApiKeys',
      doc: 'The caller’s keys, newest first; revoked and expired ones stay listed for 90 days.',
      access: 'read',
      http: 'GET /api-keys',
    }),
    get({
      name: 'getApiKey',
      doc: 'One of them.',
      access: 'read',
      http: 'GET /api-keys/:id',
    }),
    create({
      name: 'createApiKey',
      doc: 'Makes a key. `meta.secret` holds it, this once.',
      access: 'account',
      http: 'POST /api-keys',
      accepts: {
        name: attribute(text({ min: 1, max: API_KEY_NAME_LENGTH }), 'What it is for.', {
          required: true,
          example: 'Nightly job',
        }),
        expires_at: attribute(instant(), 'When it is to stop working by itself.', { example: FAR_OFF }),
      },
      check: ({ expires_at }) =>
        expires_at !== undefined && new Date(expires_at).getTime() <= Date.now()
          ? [problem('invalid_attribute', { path: ['expires_at'], detail: 'lies in the past' })]
          : [],
      run: ({ em, caller }, { name, expires_at }) =>
        createApiKey(em, {
          userId: caller.userId,
          name,
          ...(expires_at === undefined ? {} : { expiresAt: new Date(expires_at) }),
        }),
      meta: {
        fields: {
          secret: {
            kind: text({ max: SECRET_LENGTHS.whole }),
            doc: 'The key itself. It is shown this once.',
            example: `phk_${'3vQb'.repeat(12)}x`,
          },
        },
        of: ({ secret }) => ({ secret }),
      },
    }),
    remove({
      name: 'deleteApiKey',
      doc: 'Revokes a key: it stops working at once, and stays listed.',
      access: 'account',
      http: 'DELETE /api-keys/:id',
      graphql: 'destroyApiKey',
      run: ({ em, caller, services }, id) =>
        services.changingAccounts(revokeApiKey(em, { userId: caller.userId, id })),
    }),
  ],
})
