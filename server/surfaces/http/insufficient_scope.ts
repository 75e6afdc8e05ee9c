// Refuses a credential without the needed scope (RFC 6750 section 3.1): 403, an empty body, and the missing scope.
import type Koa from 'koa'
import type { Access } from '../../contract/access.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { Scope } from '../../domain/accounts/scope.ts'
import type { RefusalCode } from '../../kernel/refusal.ts'
import { type Guarded, scopeChallenge } from './challenge.ts'

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
