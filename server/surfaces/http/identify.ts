// Reads who sent an HTTP request, for which team, and which one it repeats: the Authorization header (RFC 6750), the
// tenant header or parameter, and the Idempotency-Key. Tells a client with a 401 how to sign in, and with a 403 which
// scopes are missing. Notes the caller for the log line and the metrics, without anything secret.
import type Koa from 'koa'
import type { Access } from '../../contract/operation.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import { MAX_IDEMPOTENCY_KEY } from '../../domain/accounts/idempotency.ts'
import type { ProtectedResource, Scope } from '../../domain/accounts/scope.ts'
import { readTeamId } from '../../domain/accounts/tenant.ts'
import { type AtOnce, whenKnown } from '../../kernel/flow/at_once.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { noMoreThan, type RefusalCode, refuse } from '../../kernel/refusal.ts'

/** `refused`: what was sent is no valid credential. `none`: nothing was sent, or nothing is needed. */
type CredentialType = Caller['credential']['kind'] | 'refused' | 'none'

declare module 'koa' {
  interface DefaultState {
    credential?: CredentialType
  }
}

function noteCaller(ctx: Koa.Context, caller: Caller | 'refused' | 'none'): void {
  const isKnown = typeof caller !== 'string'
  ctx.state.credential = isKnown ? caller.credential.kind : caller
  noteAnswered(ctx, isKnown ? callerFields(caller) : { credential: caller })
}

/** Adds members to the log line. */
export function noteAnswered({ state }: Pick<Koa.Context, 'state'>, members: object): void {
  state.answered = Object.assign(state.answered ?? {}, members)
}

/** For the log line and the metrics. @param operation of a closed set of names */
export function noteOperation(ctx: Koa.Context, operation: string): void {
  ctx.state.operation = operation
  noteAnswered(ctx, { operation })
}

/** The members of a log line that name a caller and the credential. */
export const callerFields = ({ userId, credential }: Caller): Readonly<Record<string, string>> => ({
  user_id: userId,
  credential: credential.kind,
  credential_id: credential.id,
  ...(credential.kind === 'access_token' ? { client_id: credential.clientId } : {}),
})

export type Authenticate = (token: string, resource: ProtectedResource) => AtOnce<Caller | undefined>

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
  { authenticate, resource, base }: Guarded & { readonly authenticate: Authenticate },
  charge: (caller: Caller | undefined) => AtOnce<void> = () => undefined,
): AtOnce<Caller> {
  const header = ctx.headers.authorization ?? ''
  const token = header.length > MAX_HEADER ? undefined : BEARER.exec(header)?.[1]
  return whenKnown(token === undefined ? undefined : authenticate(token, resource), (caller) => {
    const sent = caller !== undefined || SENT.test(header)
    noteCaller(ctx, caller ?? (sent ? 'refused' : 'none'))
    return whenKnown(charge(caller), () => {
      if (caller !== undefined) return caller
      // It names no scope, so that clients ask for all that the metadata names and the person decides: many cannot ask
      // for more later, because they refresh what they have instead. Whatever is wrong with a token, it is called
      // invalid.
      const wrong = sent ? ', error="invalid_token"' : ''
      ctx.set('WWW-Authenticate', `Bearer ${metadataOf({ resource, base })}${wrong}`)
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
    throw refuse(
      'invalid_argument',
      noMoreThan('has', MAX_IDEMPOTENCY_KEY, 'characters', { parameter: 'Idempotency-Key' }),
    )
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

/** Where the metadata of each resource is (RFC 9728 section 3.1). */
const RESOURCE_METADATA: Readonly<Record<ProtectedResource, string>> = {
  api: '/.well-known/oauth-protected-resource',
  mcp: '/.well-known/oauth-protected-resource/mcp',
}

/** A resource and the public origin that it has. */
export interface Guarded {
  readonly resource: ProtectedResource
  readonly base: () => string
}

const metadataOf = ({ resource, base }: Guarded): string =>
  `resource_metadata="${base()}${RESOURCE_METADATA[resource]}"`

/** The scope of the API that each access needs. */
export const API_SCOPE_OF = {
  read: 'api:read',
  write: 'api:write',
  account: 'account',
} as const satisfies Record<Access, Scope>

/** Not a Refusal, because no surface writes an error body for it. */
export class InsufficientScope extends Error {
  /** All that the request needs. */
  readonly scopes: readonly Scope[]

  constructor(scopes: readonly Scope[]) {
    super(`The credential lacks one of the scopes ${scopes.join(' ')}.`)
    this.name = 'InsufficientScope'
    this.scopes = scopes
  }
}

/** @throws InsufficientScope when one of them is missing */
export function requireScopes({ scopes }: Caller, needed: readonly Scope[]): void {
  if (!needed.every((scope) => scopes.has(scope))) throw new InsufficientScope(needed)
}

/** Answers 403 with an empty body and the needed scopes in `WWW-Authenticate`. */
export function answerInsufficientScope(
  ctx: Koa.Context,
  { scopes }: InsufficientScope,
  guarded: Guarded,
): void {
  ctx.status = 403
  const challenge = `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadataOf(guarded)}`
  ctx.set('WWW-Authenticate', challenge)
  ctx.body = ''
  ctx.remove('Content-Type')
  noteAnswered(ctx, { codes: ['insufficient_scope'] satisfies RefusalCode[], needed_scopes: scopes })
}
