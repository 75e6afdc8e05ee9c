// Budgets at the door: what a request costs its address and its caller, and what it is told about it.
import type Koa from 'koa'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { BudgetName } from '../../domain/limits/budgets.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import type { Limits } from '../../domain/limits/limits.ts'
import { addressKey } from '../../kernel/address_key.ts'
import type { ClientAddress } from './client_address.ts'
import { rateLimitHeaders } from './rate_limit_headers.ts'
import type { RefusalPace } from './refusal_pace.ts'

export type ChargedSurface = 'jsonapi' | 'graphql'

export interface Door {
  /** Before anything else is looked at. */
  readonly address: (ctx: Koa.Context) => Promise<Charge>
  /** Once the credential is known; without a valid one the address stands in for the caller. */
  readonly caller: (ctx: Koa.Context, caller: Caller | undefined) => Promise<Charge>
  /** What a request weighs beyond one: after it was read and before anything is done. All surfaces draw on the same. */
  readonly work: (caller: Caller, units: number) => Promise<Charge>
}

export interface DoorParts {
  readonly limits: Pick<Limits, 'charge'>
  readonly pace: Pick<RefusalPace, 'hold'>
  readonly clientAddress: ClientAddress
}

/**
 * The surface's own budgets: what is spent on one surface is not missed on another. A charge that does not fit is
 * answered at the pace of refusals.
 */
export function openDoor({ limits, pace, clientAddress }: DoorParts, surface: ChargedSurface): Door {
  const keyOf = (ctx: Koa.Context): string => addressKey(clientAddress(ctx.req))
  const charge = async (budget: BudgetName, subject: string, cost = 1): Promise<Charge> => {
    const answer = await limits.charge(budget, subject, cost)
    if (answer.allowed) return answer
    const heldMs = await pace.hold(subject)
    return heldMs === 0
      ? answer
      : { ...answer, retryAfterMs: Math.max(1, Math.ceil(answer.retryAfterMs - heldMs)) }
  }
  return Object.freeze({
    address: (ctx: Koa.Context) => charge(`${surface}_address`, keyOf(ctx)),
    caller: (ctx: Koa.Context, caller: Caller | undefined) =>
      caller === undefined
        ? charge(`${surface}_anonymous`, keyOf(ctx))
        : charge(`${surface}_caller`, caller.userId),
    work: ({ userId }: Caller, units: number) => charge('caller_work', userId, units),
  })
}

/** Sets the header fields of a charge, and refuses when it does not fit. @throws rate_limited */
export function requireCharge(ctx: Koa.Context, charge: Charge): void {
  ctx.set(rateLimitHeaders(charge))
  if (!charge.allowed) throw rateLimited(charge)
}

/** Like `requireCharge`, but silent while it fits: the header fields are left to the narrower budget that follows. */
export function requireRoom(ctx: Koa.Context, charge: Charge): void {
  if (!charge.allowed) requireCharge(ctx, charge)
}
