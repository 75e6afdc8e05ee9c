// The protocol of the GraphQL stream, graphql-transport-ws: authentication and the operations that run.
import type { IncomingMessage } from 'node:http'
import { execute, GraphQLError, subscribe } from 'graphql'
import { makeServer, type Server, type SubscribePayload } from 'graphql-ws'
import type { Catalog } from '../../../catalog/catalog.ts'
import { openContext, type Services } from '../../../catalog/context.ts'
import { type Caller, credentialEnd } from '../../../domain/accounts/caller.ts'
import { PLANS } from '../../../domain/accounts/plan.ts'
import { readTeamId } from '../../../domain/accounts/tenant.ts'
import { type Charge, rateLimited } from '../../../domain/limits/charge.ts'
import type { Log } from '../../../kernel/log.ts'
import { Refusal, refuse } from '../../../kernel/refusal.ts'
import type { Store } from '../../../store/open_store.ts'
import type { Authenticate } from '../../http/identify.ts'
import { judgeOperation, parseOperation } from '../run/prepare_operation.ts'
import { subscriptionContext } from '../schema/graphql_context.ts'
import { tellErrors } from '../schema/tell_errors.ts'
import {
  refuseConnection,
  STREAM_LIMITS,
  type StreamConnection,
  type StreamTiming,
} from './stream_connection.ts'

export interface StreamHouse {
  readonly schema: Parameters<typeof judgeOperation>[0]
  readonly catalog: Catalog
  readonly store: Store
  readonly services: Services
  readonly authenticate: Authenticate
  /** Charges an operation to its caller. When absent, nothing is charged. */
  readonly charge?: (caller: Caller) => Promise<Charge> | Charge
  readonly log: Log
}

/** Clients write these names as those of headers, in any case. */
const parameter = (given: Readonly<Record<string, unknown>>, wanted: string): unknown =>
  Object.entries(given).find(([name]) => name.toLowerCase() === wanted)?.[1]

const BEARER = /^bearer +([\x21-\x7e]{1,4096}) *$/i

/** @param house `onRefused` is called when a connection is refused that said who it is */
export function streamProtocol(
  house: StreamHouse & { readonly onRefused: (request: IncomingMessage, code: string) => void },
  timing: StreamTiming,
): Server<StreamConnection> {
  const { log, schema } = house
  const most = house.services.ceilings.problems

  /** @throws Refusal that names what is missing */
  const enter = async (
    connection: StreamConnection,
    given: Readonly<Record<string, unknown>> = {},
  ): Promise<void> => {
    const authorization = parameter(given, 'authorization')
    if (authorization === undefined)
      throw refuse('unauthorized', { detail: 'connection_init has no authorization' })
    const token = typeof authorization === 'string' ? BEARER.exec(authorization)?.[1] : undefined
    if (token === undefined)
      throw refuse('unauthorized', { detail: 'authorization must be "Bearer", a space and a key or token' })
    const caller = await house.authenticate(token, 'api')
    if (caller === undefined)
      throw refuse('unauthorized', { detail: 'the key or token is not valid here, or not any more' })
    if (!caller.scopes.has('api:read'))
      throw refuse('insufficient_scope', { detail: 'the access token lacks the scope api:read' })
    // The requested tenant is checked here, and again for every operation.
    const tenant = readTeamId(parameter(given, 'tenant'))
    if (tenant !== undefined) await openContext(house, caller, tenant, 'read')
    const { endsAt } = await credentialEnd(house.store.em('read'), caller)
    if (!connection.place.claim(caller.userId, caller.plan)) {
      house.onRefused(connection.request, 'plan_limit')
      const detail = `at most ${PLANS[caller.plan].sockets} connections at once`
      throw refuse('plan_limit', { detail })
    }
    connection.caller = caller
    connection.tenant = tenant
    connection.endsAt = endsAt
  }

  /** @throws Refusal, or a GraphQLError */
  const prepare = async (connection: StreamConnection, running: number, payload: SubscribePayload) => {
    const { caller, tenant, socket } = connection
    if (caller === undefined) throw refuse('unauthorized')
    if (running > STREAM_LIMITS.operations)
      throw refuse('rate_limited', {
        detail: 'too many operations',
        meta: { maximum: STREAM_LIMITS.operations },
      })
    const charge = await house.charge?.(caller)
    if (charge?.allowed === false) throw rateLimited(charge)
    const { query, operationName, variables } = payload
    const parsed = parseOperation({
      query,
      operationName: operationName ?? undefined,
      variables: variables ?? {},
    })
    if (parsed.operation.operation !== 'subscription')
      throw new GraphQLError('queries and mutations are taken over HTTP, at this address')
    const wrong = judgeOperation(schema, parsed, most)
    if (wrong.length > 0) return tellErrors(wrong, log, most)
    const context = await openContext(house, caller, tenant, 'read')
    const contextValue = subscriptionContext(house.catalog, context, parsed.document, {
      hangUp: () => socket.terminate(),
    })
    return { schema, document: parsed.document, operationName, variableValues: variables, contextValue }
  }

  return makeServer<Record<string, unknown>, StreamConnection>({
    execute,
    subscribe,
    connectionInitWaitTimeout: timing.init,
    onConnect: async ({ connectionParams, extra }) => {
      try {
        await enter(extra, connectionParams)
        return true
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        // Before graphql-ws closes it, which would not say why.
        refuseConnection(extra, error, timing)
        return false
      }
    },
    onSubscribe: async ({ extra, subscriptions }, _id, payload) => {
      try {
        return await prepare(extra, Object.keys(subscriptions).length, payload)
      } catch (error) {
        return tellErrors([error], log, most)
      }
    },
    onNext: (_context, _id, _payload, _args, result) =>
      result.errors === undefined
        ? undefined
        : {
            data: result.data ?? null,
            errors: tellErrors(result.errors, log, most).map((error) => error.toJSON()),
          },
  })
}
