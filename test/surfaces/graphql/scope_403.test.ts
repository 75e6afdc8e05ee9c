// 403: what a credential's scopes do not cover, with an empty body, before anything runs.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { Services } from '../../../server/catalog/context.ts'
import type { Scope } from '../../../server/domain/accounts/caller.ts'
import { cursorCodec } from '../../../server/kernel/keyset.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/build_schema.ts'
import { serveGraphql } from '../../../server/surfaces/graphql/serve.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { askGraphql, graphqlOf } from './ask_graphql.ts'

let app: TestApp
let server: Server
let port = 0
beforeAll(async () => {
  app = await openTestApp()
  const koa = new Koa()
  const services: Services = Object.create(null)
  koa.use(
    serveGraphql({
      schema: buildGraphqlSchema({
        catalog,
        cursors: cursorCodec(Buffer.alloc(32)),
        beacons: { onBeacon: () => () => undefined },
      }),
      catalog,
      maxBodyBytes: 10_000,
      store: app.store,
      services,
      // The token is its scopes, joined.
      authenticate: async (token) => ({
        userId: app.owner.userId,
        name: 'ada',
        plan: 'enterprise',
        credential: { kind: 'api_key', id: 'none', expiresAt: null },
        scopes: new Set(token.split('+') as Scope[]),
      }),
      log: Object.create(null),
    }),
  )
  server = createServer(koa.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

const MUTATION = 'mutation { redactItem(id: "x") { errors { code } } }'

it.each([
  ['none', '{ currentUser { id } }', 'api:read'],
  ['none', MUTATION, 'api:read'],
  ['api:read', MUTATION, 'api:write'],
  ['api:read', 'mutation { nothing }', 'api:write'],
])('with %s, %s needs %s', async (scopes, query, scope) => {
  const answer = await askGraphql(port, scopes, query)
  expect([answer.status, answer.text]).toEqual([403, ''])
  expect(answer.headers['www-authenticate']).toBe(`Bearer error="insufficient_scope", scope="${scope}"`)
})

it('queries need api:read alone', async () => {
  const answer = await askGraphql(port, 'api:read', '{ currentUser { id email } }')
  expect(graphqlOf(answer).data).toEqual({ currentUser: { id: app.owner.userId, email: 'ada@example.com' } })
})
