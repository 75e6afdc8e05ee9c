// Budgets at the door: what a request costs its address and its caller, and what it is told about it.
import type Koa from 'koa'
import type { Caller } from '../../domain/accounts/caller.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import type { Limits } from '../../domain/limits/limits.ts'
import { addressKey } from '../../kernel/address_key.ts'
import type { ClientAddress } from './client_address.ts'
import { rateLimitHeaders } from './rate_limit_headers.ts'

export type ChargedSurface = 'jsonapi' | 'graphql'

export interface Door {
  /** Before anything else is looked at. */
  readonly address: (ctx: Koa.Context) => Promise<Charge>
  /** Once the credential is known; without a valid one the address stands in for the caller. */
  readonly caller: (ctx: Koa.Context, caller: Caller | undefined) => Promise<Charge>
  /** What a request weighs beyond one: after it was read and before anything is done. All surfaces draw on the same. */
  readonly work: (caller: Caller, units: number) => Promise<Charge>
}

/** The surface's own budgets: what is spent on one surface is not missed on another. */
export function openDoor(limits: Limits, clientAddress: ClientAddress, surface: ChargedSurface): Door {
  const keyOf = (ctx: Koa.Context): string => addressKey(clientAddress(ctx.req))
  return Object.freeze({
    address: async (ctx: Koa.Context) => limits.charge(`${surface}_address`, keyOf(ctx)),
    caller: async (ctx: Koa.Context, caller: Caller | undefined) =>
      caller === undefined
        ? limits.charge(`${surface}_anonymous`, keyOf(ctx))
        : limits.charge(`${surface}_caller`, caller.userId),
    work: async ({ userId }: Caller, units: number) => limits.charge('caller_work', userId, units),
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
