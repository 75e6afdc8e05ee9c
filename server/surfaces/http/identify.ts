// Reads who sent an HTTP request, for which team, and which one it repeats: the Authorization header (RFC 6750), the
// tenant header or parameter, and the Idempotency-Key. Notes the caller for the log line and the metrics, without
// anything secret.
import type Koa from 'koa'
import type { Caller } from '../../domain/accounts/caller.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import type { ProtectedResource } from '../../domain/accounts/scope.ts'
import { readTeamId } from '../../domain/accounts/tenant.ts'
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { refuse } from '../../kernel/refusal.ts'
import { credentialChallenge, type Guarded } from './challenge.ts'

/** `refused`: what was sent is no valid credential. `none`: nothing was sent, or nothing is needed. */
type CredentialType = Caller['credential']['kind'] | 'refused' | 'none'

declare module 'koa' {
  interface DefaultState {
    credential?: CredentialType
  }
}

function noteCaller(ctx: Koa.Context, caller: Caller | 'refused' | 'none'): void {
  if (typeof caller === 'string') {
    ctx.state.credential = caller
    answeredOf(ctx).credential = caller
    return
  }
  ctx.state.credential = caller.credential.kind
  Object.assign(answeredOf(ctx), { user_id: caller.userId }, credentialFields(caller))
}

/** The members of the log line, to be completed. */
export function answeredOf({ state }: Koa.Context): Record<string, unknown> {
  state.answered ??= {}
  return state.answered
}

/** The members of a log line that name a credential. */
export const credentialFields = ({ credential }: Caller): Readonly<Record<string, string>> => ({
  credential: credential.kind,
  credential_id: credential.id,
  ...(credential.kind === 'access_token' ? { client_id: credential.clientId } : {}),
})

export type Authenticate = (token: string, resource: ProtectedResource) => AtOnce<Caller | undefined>

/** A resource, and who is known there. */
interface Identifying extends Guarded {
  readonly authenticate: Authenticate
}

const BEARER = /^bearer +([\x21-\x7e]+) *$/i
/** Something was sent as a token, be it one or not. */
const SENT = /^bearer +[^ ]/i
const MAX_HEADER = 4_096

/**
 * Authenticates the request.
 * @param charge charges the caller, or the address when there is no caller; it runs before the 401
 * @throws unauthorized, the same answer for a missing, blank, malformed, unknown, expired or revoked
 * credential, for one of another resource or of a disabled account, and for another scheme
 */
export function identify(
  ctx: Koa.Context,
  { authenticate, resource, base }: Identifying,
  charge: (caller: Caller | undefined) => AtOnce<void> = () => undefined,
): AtOnce<Caller> {
  const header = ctx.headers.authorization ?? ''
  const token = header.length > MAX_HEADER ? undefined : BEARER.exec(header)?.[1]
  return whenKnown(token === undefined ? undefined : authenticate(token, resource), (caller) => {
    const sent = caller !== undefined || SENT.test(header)
    noteCaller(ctx, caller ?? (sent ? 'refused' : 'none'))
    return whenKnown(charge(caller), () => {
      if (caller !== undefined) return caller
      ctx.set('WWW-Authenticate', credentialChallenge({ resource, base }, sent))
      throw refuse('unauthorized')
    })
  })
}

/**
 * The team that the request names, if any. @throws invalid_tenant when it names more than one; forbidden_tenant
 */
export function requestedTenant(ctx: Koa.Context, query: URLSearchParams): string | undefined {
  const { tenant: header } = ctx.headers
  const parameters = query.getAll('tenant')
  const [first, ...others] = header === undefined ? parameters : [String(header), ...parameters]
  // UUIDs are compared without regard to case.
  if (others.some((other) => other.toLowerCase() !== first?.toLowerCase()))
    throw refuse('invalid_tenant', { parameter: 'tenant' })
  return readTeamId(first)
}

/**
 * Returns undefined when there is no key; an empty key counts as none. @throws invalid_argument when it is too long
 */
export function idempotencyKey(ctx: Koa.Context): string | undefined {
  const key = ctx.get('idempotency-key')
  if (key.length > MAX_IDEMPOTENCY_KEY)
    throw refuse('invalid_argument', {
      parameter: 'Idempotency-Key',
      detail: `has at most ${MAX_IDEMPOTENCY_KEY} characters`,
      meta: { maximum: MAX_IDEMPOTENCY_KEY },
    })
  return key === '' ? undefined : key
}

/**
 * The tenant is part of the request's identity, because the same document in another team creates another item.
 * @param place what takes the request: `POST /api/json/items`, or the name of a tool
 */
export async function onceOf(
  place: string,
  key: string,
  tenant: () => Promise<{ readonly id: string }>,
  body: Uint8Array,
): Promise<{ readonly key: string; readonly request: Uint8Array }> {
  const { id } = await tenant()
  return { key, request: Buffer.concat([Buffer.from(`${place} ${id}\n`), body]) }
}

/** Handshakes and refreshed tokens. What is no text at all is not counted, because nobody is asked about it. */
export const countCredentials =
  (
    metrics: Pick<Metrics, 'count'>,
    stream: 'console' | 'graphql',
    authenticate: Authenticate,
  ): Authenticate =>
  async (token, resource) => {
    const caller = await authenticate(token, resource)
    const credential = caller?.credential.kind ?? 'refused'
    metrics.count('pharos_stream_credentials_total', { stream, credential })
    return caller
  }
