// What a 401 and a 403 tell a client: how to sign in, and which scopes are missing.
import type Koa from 'koa'
import type { Access } from '../../contract/operation.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { ProtectedResource, Scope } from '../../domain/accounts/scope.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'

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

/**
 * Of a 401. It names no scope, so that clients ask for all that the metadata names and the person decides: many cannot
 * ask for more later, because they refresh what they have instead.
 * @param sent whether there was a token; then it is called invalid, whatever is wrong with it
 */
export const credentialChallenge = (guarded: Guarded, sent: boolean): string =>
  `Bearer ${metadataOf(guarded)}${sent ? ', error="invalid_token"' : ''}`

/** Of a 403. */
const scopeChallenge = (guarded: Guarded, scopes: readonly Scope[]): string =>
  `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadataOf(guarded)}`

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
  ctx.set('WWW-Authenticate', scopeChallenge(guarded, scopes))
  ctx.body = ''
  ctx.remove('Content-Type')
  ctx.state.answered = {
    ...ctx.state.answered,
    codes: ['insufficient_scope'] satisfies RefusalCode[],
    needed_scopes: scopes,
  }
}
