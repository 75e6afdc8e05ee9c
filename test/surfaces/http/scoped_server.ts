// Both surfaces before the database of a test's service, for callers whose token is what they may do.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Door } from '../../../server/admission/door.ts'
import { createAdmission } from '../../../server/admission/turns.ts'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { Services } from '../../../server/catalog/context.ts'
import { cursorCodec } from '../../../server/contract/keyset.ts'
import type { Scope } from '../../../server/domain/accounts/scope.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/schema/build_schema.ts'
import { serveGraphql } from '../../../server/surfaces/graphql/serve.ts'
import { Drain } from '../../../server/surfaces/http/house.ts'
import { routeTable } from '../../../server/surfaces/jsonapi/routes.ts'
import { serveJsonApi } from '../../../server/surfaces/jsonapi/serve.ts'
import type { TestApp } from '../../support/app.ts'

export interface ScopedServer {
  readonly port: number
  /** What was logged, each with its error. */
  readonly logged: readonly object[]
  readonly close: () => void
}

/** A token is its scopes joined by `+`: `api:read`, `none`; with `spent` among them its budget is used up. */
export async function openScopedServer({ store, owner }: TestApp): Promise<ScopedServer> {
  const cursors = cursorCodec(Buffer.alloc(32))
  const services: Services = Object.assign(Object.create(null), { ceilings: ceilings() })
  const logged: object[] = []
  const note = (line: object): void => void logged.push(line)
  const charge = (allowed: boolean) => ({
    budget: 'jsonapi_caller' as const,
    allowed,
    limit: 120,
    remaining: 0,
    retryAfterMs: 500,
  })
  const door: Door = {
    address: async () => charge(true),
    caller: async (_, caller) => charge(caller?.fullName !== 'spent'),
    call: async () => charge(true),
    work: async () => charge(true),
  }
  const house = {
    catalog,
    base: () => 'http://x',
    cursors,
    store,
    services,
    door,
    maxBodyBytes: 10_000,
    authenticate: async (token: string) => {
      const words = token.split('+')
      return {
        userId: owner.userId,
        fullName: words.includes('spent') ? 'spent' : 'ada',
        plan: 'enterprise' as const,
        credential: { kind: 'api_key' as const, id: 'none', expiresAt: null },
        scopes: new Set(words as Scope[]),
      }
    },
    drain: new Drain(),
    admission: createAdmission({ ceilings: ceilings(), delayMs: () => 0 }),
    log: Object.assign(Object.create(null), { error: note, warn: note }),
  }
  const schema = buildGraphqlSchema({
    catalog,
    cursors,
    beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
  })
  const koa = new Koa()
  koa.use(serveJsonApi({ ...house, routes: routeTable(catalog), related: catalog.related }, house.log))
  koa.use(serveGraphql({ ...house, schema }))
  const server = createServer(koa.callback())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    logged,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
