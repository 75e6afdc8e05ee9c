// How one comes in where nobody needs an account: a closed door says so, and who shows a credential is charged instead
// of the address.
import type Koa from 'koa'
import { type Door, requireCharge, requireRoom, type StampingDoor } from '../../admission/door.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { PublicDoor } from '../../domain/rounds/public_door.ts'
import { whenKnown } from '../../kernel/flow/at_once.ts'
import { Refusal, refuse } from '../../kernel/refusal.ts'
import { retryAfterHeader } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { identify } from '../http/identify.ts'

/** What every door has, whatever is behind it. */
export interface DoorParts extends Pick<House, 'authenticate' | 'base' | 'admission' | 'drain'> {
  readonly isOpen: boolean
  readonly door: StampingDoor
  /** The budget that the address has on all routes without one of their own. */
  readonly chargeAddress: Door['address']
}

/**
 * For who asks for what is there. A request that waits for its round does not come in so: it costs nothing until then,
 * and would hold the place of another.
 * @throws rate_limited, overloaded
 */
export async function enterAsReader(
  ctx: Koa.Context,
  { admission, door, chargeAddress }: DoorParts,
): Promise<void> {
  requireRoom(ctx, await chargeAddress(ctx))
  const address = door.addressOf(ctx)
  admission.admit(ctx.res, address)
  await admission.piece(address)
}

/**
 * Charges one unit. A credential is looked up only while its address has room, so that made-up ones cost the database
 * no more than elsewhere.
 * @returns `caller` is undefined for who shows no credential; `key` is whose places the request takes, the caller's or
 * those of the address; `limit` has the units a minute of the budget that was charged
 * @throws rate_limited; unauthorized for a credential that is not valid, because it is no anonymous request
 */
export async function enter(ctx: Koa.Context, { authenticate, base, door, chargeAddress }: DoorParts) {
  const address = door.addressOf(ctx)
  let limit = 0
  const charge = (caller: Caller | undefined) =>
    whenKnown(door.charge(ctx, caller, caller?.userId ?? address), (charged) => {
      requireCharge(ctx, charged)
      limit = charged.limit
    })
  if (ctx.headers.authorization === undefined) {
    await charge(undefined)
    return { caller: undefined, key: address, limit }
  }
  requireRoom(ctx, await chargeAddress(ctx))
  const caller = await identify(ctx, { resource: 'api', base, authenticate }, charge)
  return { caller, key: caller.userId, limit }
}

/**
 * Makes what the client asks for, with the key of its address. The budgets of proofs are none of the door's, which tells
 * its own.
 */
export async function tellingWait<T>(
  ctx: Koa.Context,
  { admission, drain, door }: DoorParts,
  make: (address: string) => Promise<T>,
): Promise<T> {
  const address = door.addressOf(ctx)
  return drain.run(async () => {
    try {
      return await make(address)
    } catch (error) {
      // All who asked for the same at the same moment are refused at the same moment.
      await admission.piece(address)
      if (error instanceof Refusal) ctx.set(retryAfterHeader(error.problems))
      throw error
    }
  })
}

/** @throws no_route_found, with the way to open it; rate_limited */
export async function refuseClosed(
  ctx: Koa.Context,
  name: PublicDoor,
  { chargeAddress }: DoorParts,
): Promise<never> {
  requireRoom(ctx, await chargeAddress(ctx))
  throw refuse('no_route_found', {
    detail: `this door is closed here: PUBLIC_DOORS does not name ${name}`,
    meta: { door: name },
  })
}
