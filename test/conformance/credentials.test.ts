// Every route and every GraphQL root field answers both types of credentials, needs exactly the scope that it is
// published with, and does not know tokens of the agent tools.
import { readFile } from 'node:fs/promises'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { API_ROOT, catalog } from '../../server/catalog/catalog.ts'
import type { Scope } from '../../server/domain/accounts/scope.ts'
import { accessToken } from '../support/access_token.ts'
import { type Answer, ask } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { pingTools } from '../surfaces/agent/ping_tools.ts'

type ApiScope = 'api:read' | 'api:write' | 'account'

/** By name, and not by what the catalog says of them. */
const READ_ONLY_POST: ReadonlySet<string> = new Set([
  ...['kb/search', 'kb/fetch', 'kb/links'],
  ...['hash', 'verify-hash', 'uuidv7-timestamp', 'ulid-timestamp', 'resolve-id'].map(
    (name) => `utilities/${name}`,
  ),
  ...['utilities/jcs-canonicalize', 'utilities/server-time'],
  ...['proof/generate', 'proof/opentimestamps', 'proof/verify'],
])
/** What could make a credential that outlives a token, or shows who else can act for the account. */
const OF_ACCOUNT_ROUTES =
  /^(POST|PATCH|DELETE) \/(api-keys|memberships)(\/|$)|^[A-Z]+ \/(users\/me\/password|sessions|allowed-applications)(\/|$)/
const OF_ACCOUNT_FIELDS =
  /^(create|update|destroy|reissue)(ApiKey|Membership)$|^acceptInvitation$|^changePassword$|^(get|list|destroy)(Session|AllowedApplication)s?$/

const scopeOfRoute = (route: string): ApiScope => {
  if (OF_ACCOUNT_ROUTES.test(route)) return 'account'
  return route.startsWith('GET ') || READ_ONLY_POST.has(route.replace('POST /', ''))
    ? 'api:read'
    : 'api:write'
}

const routes = [...catalog.resources.flatMap(({ operations }) => operations), ...catalog.actions].flatMap(
  (one) => ('http' in one ? [one.http] : []),
)
const schema = buildSchema(await readFile(new URL('../golden/schema.graphql', import.meta.url), 'utf8'))
const fieldsOf = (root: GraphQLObjectType | null | undefined) => Object.values(root?.getFields() ?? {})
const documents: readonly (readonly [name: string, document: string, scope: ApiScope])[] = [
  ...fieldsOf(schema.getQueryType()).map((field) => ['query', field] as const),
  ...fieldsOf(schema.getMutationType()).map((field) => ['mutation', field] as const),
].map(([root, field]) => [
  field.name,
  `${root} { ${asked(field)} }`,
  OF_ACCOUNT_FIELDS.test(field.name) ? 'account' : root === 'query' ? 'api:read' : 'api:write',
])

/** Each has the scopes of its name alone, which `api:write` alone does not: it implies reading. */
const TOKENS = ['api:read', 'api:write', 'account', 'console:read'] as const satisfies readonly Scope[]
const HAVE: Readonly<Record<(typeof TOKENS)[number], readonly ApiScope[]>> = {
  'api:read': ['api:read'],
  'api:write': ['api:read', 'api:write'],
  account: ['account'],
  'console:read': [],
}

const app = testApp()
const tokens = new Map<string, string>()
beforeAll(async () => {
  const { userId } = app.owner
  for (const scope of TOKENS)
    tokens.set(scope, (await accessToken(app, { userId, scopes: [scope], clientId: 'console' })).token)
  for (const scope of ['mcp:read', 'mcp:write'] as const)
    tokens.set(scope, (await accessToken(app, { userId, scopes: [scope], resource: 'mcp' })).token)
  tokens.set('key', app.owner.key)
})

const metadata = () => `resource_metadata="${app.base}/.well-known/oauth-protected-resource"`

/** Sends the same request with each credential and judges the answers by the scope that is needed. */
async function judge(needed: ApiScope, send: (token: string) => Promise<Answer>): Promise<void> {
  const answerOf = (credential: string) => send(tokens.get(credential) ?? '')
  for (const foreign of ['mcp:write', 'mcp:read']) {
    const { status, headers } = await answerOf(foreign)
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      `Bearer ${metadata()}, error="invalid_token"`,
    ])
  }
  const { status: withKey } = await answerOf('key')
  expect([401, 403]).not.toContain(withKey)
  for (const scope of TOKENS) {
    const { status, text, headers } = await answerOf(scope)
    if (HAVE[scope].includes(needed)) expect([scope, status]).toEqual([scope, withKey])
    else
      expect([scope, status, text, headers['www-authenticate']]).toEqual([
        scope,
        403,
        '',
        `Bearer error="insufficient_scope", scope="${needed}", ${metadata()}`,
      ])
  }
}

const UUID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'

describe('routes', () => {
  it.each(routes.map((route) => [route, scopeOfRoute(route)] as const))(
    '%s needs %s',
    async (route, scope) => {
      const [method = '', path = ''] = route.split(' ')
      const body = method === 'POST' || method === 'PATCH' ? { body: { json: {} } } : {}
      await judge(scope, (key) =>
        ask(app.port, `${API_ROOT}${path.replace(/:\w+/, UUID)}`, { method, key, ...body }),
      )
    },
  )
})

describe('GraphQL root fields', () => {
  it.each(documents.map(([name, document, scope]) => [name, scope, document] as const))(
    '%s needs %s',
    async (_name, scope, query) => {
      const body = JSON.stringify({ query })
      await judge(scope, (key) =>
        ask(app.port, '/gql', { key, headers: { 'Content-Type': 'application/json' }, body }),
      )
    },
  )
})

it('the agent tools know neither API keys nor tokens of the API', async () => {
  for (const [name, key] of tokens) {
    const { status, headers } = await pingTools(app.port, key)
    if (name.startsWith('mcp:')) expect([name, status]).toEqual([name, 200])
    else {
      expect([name, status]).toEqual([name, 401])
      expect(headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource/mcp"')
    }
  }
})

it('what a 401 names can be read, and leads to the endpoints that OpenAPI names', async () => {
  const read = async (path: string) => z.looseObject({}).parse((await ask(app.port, path)).json())
  const { headers } = await ask(app.port, `${API_ROOT}/items`)
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? []
  expect(await read(new URL(address).pathname)).toMatchObject({
    resource: app.base,
    authorization_servers: [app.base],
  })
  const server = await read('/.well-known/oauth-authorization-server')
  expect(await read(`${API_ROOT}/open_api`)).toMatchObject({
    components: {
      securitySchemes: {
        oauth2: {
          flows: {
            authorizationCode: {
              authorizationUrl: server.authorization_endpoint,
              tokenUrl: server.token_endpoint,
              refreshUrl: server.token_endpoint,
            },
          },
        },
      },
    },
  })
})

/** The field with some value for every argument that it requires. */
function asked({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.flatMap((one) =>
    isNonNullType(one.type) ? [`${one.name}: ${placeholder(one.type)}`] : [],
  )
  const selection = isCompositeType(getNamedType(type)) ? ' { __typename }' : ''
  return `${name}${given.length === 0 ? '' : `(${given.join(', ')})`}${selection}`
}

function placeholder(type: GraphQLInputType): string {
  if (isNonNullType(type)) return placeholder(type.ofType)
  if (isListType(type)) return '[]'
  if (isEnumType(type)) return type.getValues()[0]?.name ?? ''
  if (!isInputObjectType(type)) return { Int: '1', Boolean: 'true' }[type.name] ?? '"x"'
  const required = Object.values(type.getFields()).filter((field) => isNonNullType(field.type))
  return `{${required.map((field) => `${field.name}: ${placeholder(field.type)}`).join(', ')}}`
}
