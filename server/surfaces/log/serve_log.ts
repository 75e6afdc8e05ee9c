// Serves the public log below `/log`: checkpoint, tiles and entries (C2SP tlog-tiles), proofs, policy, history, and
// the keyring and the epochs that a copy has beside them.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { type Door, requireCharge } from '../../admission/door.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Guarded } from '../http/challenge.ts'
import { type Authenticate, identify } from '../http/identify.ts'
import { answerInsufficientScope, InsufficientScope, requireScopes } from '../http/insufficient_scope.ts'
import { gzipShelf } from './gzip_shelf.ts'
import { LOG_PATH, readLogAddress } from './log_address.ts'
import type { LogSource, Shown } from './log_source.ts'
import { readLog } from './read_log.ts'
import { answerStatic } from './static_answer.ts'

export interface LogSurface {
  readonly source: LogSource
  /** Whether anybody may read it without a credential. */
  readonly isPublic: boolean
  readonly authenticate: Authenticate
  /** The public origin. */
  readonly base: () => string
  readonly chargeAddress: Door['address']
  /** For the many files that an audit takes: tiles, entry bundles, epochs. */
  readonly chargeTile: Door['address']
}

/** Charged to the address alone, so that a mirror does not spend the budget of its caller. */
export function serveLog({ source, isPublic, authenticate, base, ...charges }: LogSurface): Middleware {
  const guarded: Guarded = { resource: 'api', base }
  const reading = { source, shelf: gzipShelf(), shownFrom: rememberShown(source) }
  const answer = async (ctx: Koa.Context): Promise<void> => {
    const address = readLogAddress(ctx.path)
    const isOneOfMany = address?.of === 'tile' || address?.of === 'epoch'
    requireCharge(ctx, await (isOneOfMany ? charges.chargeTile : charges.chargeAddress)(ctx))
    if (!isPublic) {
      const caller = await identify(ctx, { ...guarded, authenticate })
      requireScopes(caller, ['api:read'])
    }
    if (address === undefined) throw refuse('no_route_found')
    ctx.state.operation = address.of
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD')
      throw refuse('method_not_allowed')
    }
    const found = await readLog(reading, address)
    if (found === undefined) throw refuse('not_found')
    await answerStatic(ctx, found, isPublic)
  }
  return async (ctx, next) => {
    if (ctx.path !== LOG_PATH && !ctx.path.startsWith(`${LOG_PATH}/`)) return next()
    try {
      await answer(ctx)
    } catch (error) {
      if (!(error instanceof InsufficientScope)) throw error
      answerInsufficientScope(ctx, error, guarded)
    }
  }
}

/** Reads the newest checkpoint only when the remembered one is too small. */
function rememberShown(source: LogSource): (size: number) => Promise<Shown | undefined> {
  let remembered: Shown | undefined
  return async (size) => {
    if (remembered === undefined || remembered.size < size) remembered = (await source.shown()) ?? remembered
    return remembered
  }
}
