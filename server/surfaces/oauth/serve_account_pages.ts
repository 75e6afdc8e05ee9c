// Serves the pages that people reach by a one-time link. Requests are charged to the address.
import type { Middleware } from 'koa'
import { addressKey } from '../../kernel/address_key.ts'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Admission } from '../http/admission.ts'
import { type Door, requireRoom } from '../http/charge_request.ts'
import type { Drain } from '../http/drain.ts'
import { type AccountPagesParts, accountPages } from './account_pages.ts'
import { answerProblem } from './pages/answer_page.ts'

export interface ServedAccountPages extends AccountPagesParts {
  readonly door: Pick<Door, 'address'>
  readonly admission: Pick<Admission, 'admit'>
  readonly drain: Pick<Drain, 'run'>
  readonly log: Log
}

export function serveAccountPages(parts: ServedAccountPages): Middleware {
  const pages = accountPages(parts)
  return async (ctx, next) => {
    const here = pages.filter(({ path }) => path === ctx.path)
    if (here.length === 0) return next()
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    try {
      requireRoom(ctx, await parts.door.address(ctx))
      parts.admission.admit(ctx.res, addressKey(parts.clientAddress(ctx.req)))
      const page = here.find((one) => one.method === method)
      if (page === undefined) {
        ctx.set('Allow', here.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', '))
        throw refuse('method_not_allowed')
      }
      await parts.drain.run(() => page.run(ctx))
    } catch (error) {
      if (ctx.headerSent) throw error
      answerProblem(ctx, error, parts.log)
    }
  }
}
