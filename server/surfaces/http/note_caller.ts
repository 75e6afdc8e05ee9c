// Notes who sent a request, for its log line and for the metrics. Nothing secret.
import type Koa from 'koa'
import type { Caller } from '../../domain/accounts/caller.ts'

/** `refused`: what was sent is no valid credential. `none`: nothing was sent, or nothing is needed. */
export type CredentialType = Caller['credential']['kind'] | 'refused' | 'none'

declare module 'koa' {
  interface DefaultState {
    credential?: CredentialType
  }
}

export function noteCaller(ctx: Koa.Context, caller: Caller | 'refused' | 'none'): void {
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
