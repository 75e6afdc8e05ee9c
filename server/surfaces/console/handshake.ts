// Admits a connection to the namespace and welcomes it with the caller, the available streams and the head of the
// chain, or refuses it with a code of the console stream.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Socket } from 'socket.io'
import {
  type Beacon,
  connectionLimits,
  type HandshakeRefusal,
  type StreamName,
  type StreamRefusalCode,
  streamRefusalCodes,
  streams,
  type Welcome,
} from '../../../shared/wire/console_stream.ts'
import { type Caller, type CredentialEnd, credentialEnd } from '../../domain/accounts/caller.ts'
import { readTeamId, resolveTenant, type Tenant } from '../../domain/accounts/tenant.ts'
import type { Charge } from '../../domain/limits/charge.ts'
import { within } from '../../kernel/flow/at_once.ts'
import type { Log } from '../../kernel/log.ts'
import { REFUSALS, Refusal } from '../../kernel/refusal.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import type { Authenticate } from '../http/identify.ts'

interface HandshakeParts {
  readonly em: () => EntityManager
  readonly authenticate: Authenticate
  readonly log: Log
  readonly deadlineMs: number
}

export interface AdmittedCaller extends CredentialEnd {
  readonly caller: Caller
  readonly tenant: Tenant
}

/** Our keys have 53 characters and access tokens about as many. A longer token is refused without hashing it. */
const TOKEN_LENGTH = 1_024

/** Either is enough. */
const OPENING = ['api:read', 'console:read'] as const

/** Socket.IO sends it as `connect_error`. */
export class HandshakeRefused extends Error {
  readonly data: HandshakeRefusal

  constructor(
    code: Exclude<StreamRefusalCode, 'unknown_beacon'>,
    more: Omit<HandshakeRefusal, 'status' | 'code'> = {},
  ) {
    super(streamRefusalCodes[code])
    this.name = 'HandshakeRefused'
    this.data = { status: REFUSALS[code].status, code, ...more }
  }
}

/** Of a connection that was let in only to hear why it may not stay. */
export const beyondCeiling = ({ code, problems: [problem] }: Refusal): HandshakeRefused => {
  const wait = problem?.meta?.retry_after_ms
  const retry_after_ms = typeof wait === 'number' ? wait : 0
  return new HandshakeRefused(code === 'overloaded' ? code : 'rate_limited', { retry_after_ms })
}

/**
 * Authenticates the connection and resolves its team.
 * @param charge charges this attempt to its address; absent when the attempt was charged before
 * @throws HandshakeRefused
 */
export async function admit(parts: HandshakeParts, socket: Socket, charge?: () => Promise<Charge>) {
  const lookUp = async (): Promise<AdmittedCaller> => {
    const charged = await charge?.()
    if (charged?.allowed === false)
      throw new HandshakeRefused('rate_limited', { retry_after_ms: charged.retryAfterMs })
    const auth: Readonly<Record<string, unknown>> = socket.handshake.auth
    const caller = await authenticateToken(parts.authenticate, auth.token)
    const em = parts.em()
    const tenant = await resolveTenant(em, caller.userId, readTeamId(auth.tenant))
    return { caller, tenant, ...(await credentialEnd(em, caller)) }
  }
  try {
    return await within(parts.deadlineMs, lookUp(), () => new HandshakeRefused('database_unavailable'))
  } catch (error) {
    throw asRefused(parts.log, error)
  }
}

/** @throws HandshakeRefused 401 for an invalid token, 403 for a token without a scope that opens the stream */
export async function authenticateToken(authenticate: Authenticate, token: unknown): Promise<Caller> {
  const valid = typeof token === 'string' && token.length > 0 && token.length <= TOKEN_LENGTH
  const caller = valid ? await authenticate(token, 'api') : undefined
  if (caller === undefined) throw new HandshakeRefused('unauthorized')
  if (!OPENING.some((scope) => caller.scopes.has(scope))) throw new HandshakeRefused('insufficient_scope')
  return caller
}

function asRefused(log: Log, error: unknown): HandshakeRefused {
  if (error instanceof HandshakeRefused) return error
  if (error instanceof Refusal && error.code === 'forbidden_tenant') return new HandshakeRefused(error.code)
  if (isDatabaseUnavailable(error)) return new HandshakeRefused('database_unavailable')
  log.error({ err: error }, 'stream.handshake_failed')
  return new HandshakeRefused('internal')
}

export const welcomeOf = ({ caller, tenant, serverTime }: AdmittedCaller, head: Beacon): Welcome => ({
  user: { id: caller.userId, full_name: caller.fullName },
  team: toldTeam(tenant),
  plan: caller.plan,
  streams: Object.keys(streams)
    .filter(isStream)
    .map((name) => ({ name, ...streams[name] })),
  head,
  server_time: serverTime,
  limits: connectionLimits,
})

export const isStream = (name: unknown): name is StreamName =>
  typeof name === 'string' && Object.hasOwn(streams, name)

export const toldTeam = ({ id, name, role }: Tenant): Welcome['team'] => ({ id, name, role })
