// Charges a request to the budgets of its address and its caller, and reports the charge in header fields.
import type Koa from 'koa'
import type { Caller } from '../domain/accounts/caller.ts'
import { BUDGETS, type BudgetName } from '../domain/limits/budgets.ts'
import { type Charge, rateLimited } from '../domain/limits/charge.ts'
import type { Limits } from '../domain/limits/limits.ts'
import { addressKey } from '../kernel/addresses.ts'
import { setHeaders } from '../kernel/set_headers.ts'
import type { ClientAddress } from './client_address.ts'
import type { RefusalPace } from './pace.ts'

/** The fields of an allowed charge. */
export const RATE_LIMIT_FIELDS = ['RateLimit-Policy', 'RateLimit'] as const

const WINDOW_SECONDS = 60

/**
 * Returns `Retry-After: 12`, `RateLimit-Policy: "caller";q=120;w=60`, `RateLimit: "caller";r=0;t=12`. An allowed
 * charge has no Retry-After and no `t`. For `ctx.set(rateLimitHeaders(charge))`.
 */
export function rateLimitHeaders({
  budget,
  allowed,
  limit,
  remaining,
  retryAfterMs,
}: Charge): Record<string, string> {
  const { policy } = BUDGETS[budget]
  // Rounded up and at least 1, because a client that reads 0 would retry at once.
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return {
    ...(allowed ? {} : { 'Retry-After': String(seconds) }),
    'RateLimit-Policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${policy}";r=${remaining}${allowed ? '' : `;t=${seconds}`}`,
  }
}

export type ChargedSurface = 'jsonapi' | 'graphql'

export interface Door {
  /** Charges the address. It comes before every other check. */
  readonly address: (ctx: Koa.Context) => Charge | Promise<Charge>
  /** Charges the caller after authentication. Without a valid credential it charges the address instead. */
  readonly caller: (ctx: Koa.Context, caller: Caller | undefined) => Charge | Promise<Charge>
  /** Charges a caller who is known already for one more call of the same request. */
  readonly call: (caller: Caller) => Charge | Promise<Charge>
  /**
   * Charges the units beyond the first one, after the request was read and before anything is done. All
   * surfaces share this budget.
   */
  readonly work: (caller: Caller, units: number) => Charge | Promise<Charge>
}

interface DoorParts {
  readonly limits: Pick<Limits, 'charge'>
  readonly pace: Pick<RefusalPace, 'hold'>
  readonly clientAddress: ClientAddress
}

/**
 * Opens the budgets of one surface. Each surface has its own budgets, so spending on one does not limit another. A
 * refused charge is answered at the pace of refusals, see `pace.ts`.
 */
export function openDoor(parts: DoorParts, surface: ChargedSurface): Door {
  const charge = chargeAtPace(parts)
  return Object.freeze({
    address: openAddressDoor(parts, `${surface}_address`),
    caller: (ctx: Koa.Context, caller: Caller | undefined) =>
      caller === undefined
        ? charge(`${surface}_anonymous`, keyOf(parts, ctx))
        : charge(`${surface}_caller`, caller.userId),
    call: ({ userId }: Caller) => charge(`${surface}_caller`, userId),
    work: ({ userId }: Caller, units: number) => charge('caller_work', userId, units),
  })
}

/** For a surface that charges addresses alone. */
export function openAddressDoor(parts: DoorParts, budget: BudgetName): Door['address'] {
  const charge = chargeAtPace(parts)
  return (ctx) => charge(budget, keyOf(parts, ctx))
}

/** For everything that comes after it and has no budget of its own. @throws rate_limited */
export const chargeOthers =
  (charge: Door['address']): Koa.Middleware =>
  async (ctx, next) => {
    requireRoom(ctx, await charge(ctx))
    await next()
  }

const keyOf = ({ clientAddress }: DoorParts, { req }: Koa.Context): string => addressKey(clientAddress(req))

type ChargeNow = (budget: BudgetName, subject: string, cost?: number) => Charge | Promise<Charge>

function chargeAtPace({ limits, pace }: DoorParts): ChargeNow {
  const charge: ChargeNow = (budget, subject, cost = 1) => {
    const answer = limits.charge(budget, subject, cost)
    return 'then' in answer || !answer.allowed ? hold(answer, subject) : answer
  }
  const hold = async (charged: Charge | Promise<Charge>, subject: string): Promise<Charge> => {
    const answer = await charged
    if (answer.allowed) return answer
    const heldMs = await pace.hold(subject)
    return heldMs === 0
      ? answer
      : { ...answer, retryAfterMs: Math.max(1, Math.ceil(answer.retryAfterMs - heldMs)) }
  }
  return charge
}

/** Sets the header fields of a charge and refuses it when the budget is spent. @throws rate_limited */
export function requireCharge(ctx: Koa.Context, charge: Charge): void {
  setHeaders(ctx.res, rateLimitHeaders(charge))
  if (!charge.allowed) throw rateLimited(charge)
}

/**
 * Like `requireCharge`, but sets no header fields when the charge fits, because a narrower budget sets them
 * later. @throws rate_limited
 */
export function requireRoom(ctx: Koa.Context, charge: Charge): void {
  if (!charge.allowed) requireCharge(ctx, charge)
}
