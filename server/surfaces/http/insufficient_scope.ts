// Refuses a credential without the needed scope (RFC 6750 section 3.1): 403, an empty body, and the missing scope.
import type Koa from 'koa'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { Scope } from '../../domain/accounts/scope.ts'

/** Not a Refusal, because no surface writes an error body for it. */
export class InsufficientScope extends Error {
  readonly scope: Scope

  constructor(scope: Scope) {
    super(`The credential lacks the scope ${scope}.`)
    this.name = 'InsufficientScope'
    this.scope = scope
  }
}

/** @throws InsufficientScope */
export function requireScope({ scopes }: Caller, needed: Scope): void {
  if (!scopes.has(needed)) throw new InsufficientScope(needed)
}

/** Answers 403 with an empty body and the missing scope in `WWW-Authenticate`. */
export function answerInsufficientScope(ctx: Koa.Context, { scope }: InsufficientScope): void {
  ctx.status = 403
  ctx.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`)
  ctx.body = ''
  ctx.remove('Content-Type')
  ctx.state.answered = { ...ctx.state.answered, codes: ['insufficient_scope'] }
}
