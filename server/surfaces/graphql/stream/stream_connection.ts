// One connection of the GraphQL stream: its caller, its durations and ceilings, and the ways to end it; and the protocol,
// graphql-transport-ws: authentication and the operations that run.
import type { IncomingMessage } from 'node:http'
import { execute, GraphQLError, subscribe } from 'graphql'
import { makeServer, type SubscribePayload } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { SocketPlace } from '../../../admission/places.ts'
import type { Catalog } from '../../../catalog/catalog.ts'
import { openContext, type Services } from '../../../catalog/context.ts'
import { type Caller, credentialEnd } from '../../../domain/accounts/caller.ts'
import { PLANS } from '../../../domain/accounts/plan.ts'
import { readTeamId } from '../../../domain/accounts/tenant.ts'
import { type Charge, rateLimited } from '../../../domain/limits/charge.ts'
import type { Log } from '../../../kernel/log.ts'
import { Refusal, refuse } from '../../../kernel/refusal.ts'
import type { House } from '../../http/house.ts'
import { judgeOperation, parseOperation } from '../run/prepare_operation.ts'
import { subscriptionContext } from '../schema/graphql_context.ts'
import { tellErrors } from '../schema/tell_errors.ts'

export const STREAM_TIMING = {
  /** Time for a connection to send its init message; after that it is closed. */
  init: 10_000,
  /** Interval between pings. A peer that misses one is cut off at the next. */
  ping: 25_000,
  /** Interval between checks of expiry and unsent data. */
  sweep: 1_000,
  /** Interval between checks for revoked credentials. Their connections end within 60 s. */
  credentials: 30_000,
  /** Time from a notice about accounts to the check. Notices that arrive meanwhile share it. */
  credentialsNotice: 1_000,
  /** Time for a peer to answer a close; after that it is cut off. */
  ending: 1_000,
} as const

export type StreamTiming = { readonly [name in keyof typeof STREAM_TIMING]: number }

export const STREAM_LIMITS = {
  /** Bytes of one message from a client. */
  message_bytes: 65_536,
  /** Messages of one client between two sweeps. */
  messages: 100,
  /** Concurrent operations of one client. */
  operations: 20,
  /** Unsent bytes that may wait for a slow client. */
  unsent_bytes: 1_048_576,
} as const

/** Close codes of graphql-transport-ws and RFC 6455. */
export const CLOSE = {
  goingAway: 1001,
  tryAgainLater: 1013,
  internal: 4500,
  forbidden: 4403,
  tooManyRequests: 4429,
} as const

export class StreamConnection {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly place: SocketPlace
  readonly openedAt = performance.now()
  caller: Caller | undefined
  /** The time when the credential ends, on the monotonic clock. */
  endsAt = Number.POSITIVE_INFINITY
  /** The team requested in the connection's init message. */
  tenant: string | undefined
  /** True when the peer has answered the last ping. */
  answers = true
  readonly #timing: StreamTiming
  /** Messages since the last sweep. */
  #messages = 0

  constructor(socket: WebSocket, request: IncomingMessage, place: SocketPlace, timing: StreamTiming) {
    this.socket = socket
    this.request = request
    this.place = place
    this.#timing = timing
  }

  /** Counts one more message. Returns true, and ends the connection, when there are too many. */
  isTooMuch(): boolean {
    this.#messages += 1
    if (this.#messages === STREAM_LIMITS.messages + 1) this.end(CLOSE.tooManyRequests, 'Too many messages')
    return this.#messages > STREAM_LIMITS.messages
  }

  /** Closes with a closing handshake. A peer that does not answer in time is cut off. */
  end(code: number, why: string): void {
    this.socket.close(code, shortened(why))
    setTimeout(() => this.socket.terminate(), this.#timing.ending).unref()
  }

  /**
   * Closes a connection that may not stay, and names the code and what is missing. Where waiting helps, the close code
   * is one after which graphql-ws tries again: after 4429 it never does.
   */
  refuse({ code, status, problems: [problem] }: Refusal): void {
    const isForNow = status === 503 || status === 429 || code === 'plan_limit'
    this.end(isForNow ? CLOSE.tryAgainLater : CLOSE.forbidden, `${code}: ${problem?.detail}`)
  }

  /**
   * Sends the text. A peer with too much unsent data is cut off at once, because a closing handshake would wait behind
   * that data.
   */
  send(text: string): Promise<void> {
    const { socket } = this
    if (socket.bufferedAmount > STREAM_LIMITS.unsent_bytes) socket.terminate()
    if (socket.readyState !== socket.OPEN) return Promise.resolve()
    // Resolves in any case, because the close event reports a lost connection.
    return new Promise((resolve) => socket.send(text, () => resolve()))
  }

  /** Checks the expiry of the credential, the unsent data and the number of messages. */
  sweep(): void {
    const messages = this.#messages
    this.#messages = 0
    if (this.socket.bufferedAmount > STREAM_LIMITS.unsent_bytes) this.socket.terminate()
    else if (messages > STREAM_LIMITS.messages) this.end(CLOSE.tooManyRequests, 'Too many messages')
    else if (this.endsAt <= performance.now()) this.end(CLOSE.forbidden, 'The credential has expired')
  }

  /** Sends a ping. A peer that has not answered the previous ping is cut off. */
  ping(): void {
    if (!this.answers) this.socket.terminate()
    this.answers = false
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping()
  }
}

/** Bytes of a reason (RFC 6455 section 5.5.1). */
const REASON_BYTES = 123

/** A reason that repeats a client's own words can be too long. `stream` leaves out a character that was cut in two. */
const shortened = (why: string): string =>
  new TextDecoder().decode(Buffer.from(why).subarray(0, REASON_BYTES), { stream: true })

export interface StreamHouse extends Pick<House, 'store' | 'authenticate'> {
  readonly schema: Parameters<typeof judgeOperation>[0]
  readonly catalog: Catalog
  readonly services: Services
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
) {
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
        extra.refuse(error)
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
