// Charges a request to the budgets of its address and its caller, and reports the charge in header fields. Slows down
// refusals for a client that keeps sending after a refusal, so that a flood costs the server little.
import type { ServerResponse } from 'node:http'
import type Koa from 'koa'
import type { Caller } from '../domain/accounts/caller.ts'
import { type BudgetName, policyOf } from '../domain/limits/budgets.ts'
import { type Charge, rateLimited } from '../domain/limits/charge.ts'
import type { Limits } from '../domain/limits/limits.ts'
import { addressKey } from '../kernel/addresses.ts'
import type { AtOnce } from '../kernel/flow/at_once.ts'
import { type Lasting, whenOver } from '../kernel/flow/lasting.ts'
import { setHeaders } from '../kernel/set_headers.ts'
import type { ClientAddress } from './client_address.ts'
import type { Admission } from './turns.ts'

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
  const policy = policyOf(budget)
  // Rounded up and at least 1, because a client that reads 0 would retry at once.
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000))
  return {
    ...(allowed ? {} : { 'Retry-After': String(seconds) }),
    'RateLimit-Policy': `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${policy}";r=${remaining}${allowed ? '' : `;t=${seconds}`}`,
  }
}

interface DoorParts {
  readonly limits: Pick<Limits, 'charge'>
  readonly pace: Pick<ReturnType<typeof refusalPace>, 'hold'>
  readonly admission: Pick<Admission, 'piece'>
  readonly clientAddress: ClientAddress
}

export type Door = ReturnType<typeof openDoor>

/**
 * Opens the budgets of one surface. Each surface has its own budgets, so spending on one does not limit another. A
 * refused charge is answered at the pace of refusals.
 */
export function openDoor(parts: DoorParts, surface: 'jsonapi' | 'graphql') {
  const charge = chargeAtPace(parts)
  return Object.freeze({
    /** Charges the address. It comes before every other check. */
    address: openAddressDoor(parts, `${surface}_address`),
    /** Charges the caller after authentication. Without a valid credential it charges the address instead. */
    caller: (ctx: Koa.Context, caller: Caller | undefined) =>
      caller === undefined
        ? charge(ctx.res, `${surface}_anonymous`, keyOf(parts, ctx))
        : charge(ctx.res, `${surface}_caller`, caller.userId),
    /** Charges a caller who is known already for one more call of the same request. */
    call: ({ userId }: Caller) => charge(undefined, `${surface}_caller`, userId),
    /**
     * Charges the units beyond the first one, after the request was read and before anything is done. All surfaces
     * share this budget.
     */
    work: ({ userId }: Caller, units: number) => charge(undefined, 'caller_work', userId, units),
  })
}

/** For a surface that charges addresses alone. */
export function openAddressDoor(parts: DoorParts, budget: BudgetName): (ctx: Koa.Context) => AtOnce<Charge> {
  const charge = chargeAtPace(parts)
  return (ctx) => charge(ctx.res, budget, keyOf(parts, ctx))
}

export type StampingDoor = ReturnType<typeof openStampingDoor>

/** The budget of the doors that nobody needs an account for. */
export function openStampingDoor(parts: DoorParts) {
  const charge = chargeAtPace(parts)
  return Object.freeze({
    /** The key of the client's address. */
    addressOf: (ctx: Koa.Context) => keyOf(parts, ctx),
    /** Charges the caller where there is one, and the address where there is none, by whichever key it is. */
    charge: ({ res }: Koa.Context, caller: Caller | undefined, key: string, units = 1) =>
      charge(res, caller === undefined ? 'aggregation_address' : 'aggregation_caller', key, units),
  })
}

const keyOf = ({ clientAddress }: DoorParts, { req }: Koa.Context): string => addressKey(clientAddress(req))

function chargeAtPace({ limits, pace, admission }: DoorParts) {
  const hold = async (charged: AtOnce<Charge>, subject: string, response: ServerResponse | undefined) => {
    const answer = await charged
    if (answer.allowed) return answer
    const heldMs = await pace.hold(subject, response)
    // Many subjects may be refused at the same moment.
    await admission.piece(subject)
    return heldMs === 0
      ? answer
      : { ...answer, retryAfterMs: Math.max(1, Math.ceil(answer.retryAfterMs - heldMs)) }
  }
  return (
    response: ServerResponse | undefined,
    budget: BudgetName,
    subject: string,
    cost = 1,
  ): AtOnce<Charge> => {
    const answer = limits.charge(budget, subject, cost)
    return 'then' in answer || !answer.allowed ? hold(answer, subject, response) : answer
  }
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

/** Milliseconds. Clients usually wait longer than this for an answer. */
const LONGEST_HOLD_MS = 5_000

const BURST_SECONDS = 2

/** The most keys in memory. When it is reached, refusals of further keys are immediate. */
const MOST_KEYS = 50_000

const SWEEP_EVERY_MS = 1_000

/** @param perSecond refusals of one key. A burst may use two seconds' worth at once. */
export function refusalPace({ perSecond }: { readonly perSecond: number }) {
  const everyMs = 1_000 / perSecond
  /**
   * The time up to which each key has used its refusals, at one every `everyMs` (the generic cell rate algorithm).
   */
  const paidAt = new Map<string, number>()
  const holding = new Set<() => void>()
  let closed = false
  const sweep = setInterval(() => {
    const at = performance.now()
    for (const [key, paid] of paidAt) if (paid <= at) paidAt.delete(key)
  }, SWEEP_EVERY_MS).unref()

  const due = (key: string, at: number): number => {
    const known = paidAt.get(key)
    if (known === undefined && paidAt.size >= MOST_KEYS) return 0
    const paid = Math.max(known ?? at, at) + everyMs
    const wait = paid - at - BURST_SECONDS * 1_000
    // A queue longer than the longest hold does not grow, so that its last entry does not wait for minutes.
    if (wait <= LONGEST_HOLD_MS) paidAt.set(key, paid)
    return Math.min(Math.max(0, wait), LONGEST_HOLD_MS)
  }

  return Object.freeze({
    /**
     * Resolves when the next refusal of this key is due, or its connection has gone. The first refusals are immediate; a
     * flood waits longer and longer. As the requests of a connection begin one after the other, no more wait than there
     * are connections. Returns the milliseconds waited.
     * @param response that of the request, where the client waits for this refusal
     */
    hold: async (key: string, response?: Lasting): Promise<number> => {
      const began = performance.now()
      const wait = closed ? 0 : due(key, began)
      if (wait === 0 || response?.closed === true) return 0
      await new Promise<void>((resolve) => {
        let forget: (() => void) | undefined
        const end = (): void => {
          clearTimeout(timer)
          forget?.()
          holding.delete(end)
          resolve()
        }
        const timer = setTimeout(end, wait)
        holding.add(end)
        if (response !== undefined) forget = whenOver(response, end)
      })
      return performance.now() - began
    },
    /** Resolves everything that waits. After that, nothing waits. */
    close: () => {
      closed = true
      clearInterval(sweep)
      for (const end of holding) end()
    },
  })
}
