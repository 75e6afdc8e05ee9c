// Delivers what is due at one endpoint in batches. Every outcome is durable before the next batch begins.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../../kernel/identifiers.ts'
import { RECEIVER_BOUNDS, REST_SECONDS } from '../../../outgoing/receiver_bounds.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { isKeyChanged } from '../../../store/seal.ts'
import { CANCEL_PIECE, cancelPending } from '../deliveries/cancel_pending.ts'
import { AttemptInterrupted } from './attempt.ts'
import { type DeliveryTools, deliverOne, openTarget } from './deliver_one.ts'
import type { DueDelivery } from './due_deliveries.ts'
import { LEASE_SECONDS } from './lease.ts'
import { Pace } from './pace.ts'
import type { Visit } from './visits.ts'

/** Milliseconds. An attempt that takes longer computes nothing any more. */
const QUIET_MS = 100

/**
 * Returns a function that carries out one attempt of the visit. Attempts may run side by side. What is a mere wait is quiet
 * from its first moment.
 * @param onRest told at every change. A visit begins without a rest, and ends without one
 */
export function restWhileQuiet(
  onRest: (rests: boolean) => void,
): <Made>(attempt: () => Promise<Made>, isWait?: boolean) => Promise<Made> {
  let underWay = 0
  let waiting = 0
  let rests = false
  const tell = (): void => {
    const now = underWay > 0 && waiting === underWay
    if (now !== rests) onRest(now)
    rests = now
  }
  return async (attempt, isWait = false) => {
    let isQuiet = isWait
    underWay += 1
    if (isQuiet) waiting += 1
    tell()
    const becomesQuiet = (): void => {
      isQuiet = true
      waiting += 1
      tell()
    }
    const timer = isWait ? undefined : setTimeout(becomesQuiet, QUIET_MS).unref()
    try {
      return await attempt()
    } finally {
      clearTimeout(timer)
      underWay -= 1
      if (isQuiet) waiting -= 1
      tell()
    }
  }
}

/** `more` means that the time was over before all was done. `busy` means that another worker has the lease. */
export type Worked = 'done' | 'more' | 'busy'

/**
 * Parallel attempts per endpoint, which is also the number of connections that the receiver sees. Another one begins
 * when the rest of the batch would take longer than `aimMs` by the answers so far, or than `fullMs` when more may wait
 * behind the batch, because a handshake costs more than several requests. It also begins when the only one waits for longer
 * than `stuckMs`, so that one event that makes the receiver hang does not delay the others.
 */
const LANES = { most: 10, aimMs: 5_000, fullMs: 1_000, whenStuck: 2, stuckMs: 500 } as const

/** Deliveries per batch. The first of a visit is small, because a receiver that hangs keeps it in memory. */
const BATCH = { first: 20, next: 200 } as const

/** Outcomes of one lane that may wait to be recorded while it goes on. A crash repeats so many requests at most. */
const UNRECORDED = 8

/**
 * Milliseconds. No attempt begins after `batch`, so that all attempts end before the lease does. After `round` the
 * worker goes on to another endpoint.
 */
const TIME = { batch: LEASE_SECONDS * 1_000 - RECEIVER_BOUNDS.whole - 5_000, round: 5_000 } as const

/** Milliseconds until somebody tries again what this worker cannot do now. */
const AGAIN_MS = 5_000

/**
 * Milliseconds. After a slower answer, the outcome is recorded before the next request, so that a change of the
 * endpoint is noticed.
 */
const QUICK = 100

/**
 * Safe to call for any id, any number of times, by any number of servers, because the lease admits one worker. If the
 * server crashes, another worker continues when the lease ends, and attempts that were not recorded are made again.
 * @param onRest told when the work only waits for the receiver, and when it goes on
 */
export async function deliverEndpoint(
  tools: DeliveryTools,
  endpointId: string,
  onRest: (rests: boolean) => void = () => undefined,
): Promise<Worked> {
  const leaseId = newUuid7()
  const until = performance.now() + TIME.round
  const attempting = restWhileQuiet(onRest)
  const resting = (wait: () => Promise<boolean>) => attempting(wait, true)
  const pace = new Pace(null, resting)
  const seen: Seen = { until, attempting, pace, isOver: false, answerMs: 0, isFlood: false }
  let most: number = BATCH.first
  const release = async (left: { readonly againMs?: number; readonly restSeconds?: number } = {}) => {
    await seen.pace.end(tools.dispatch.isOn)
    return tools.visits.end({ endpointId, leaseId, restSeconds: 0, ...left })
  }
  try {
    for (;;) {
      const visit = await tools.visits.begin({ endpointId, leaseId, most })
      if (visit === 'busy') return 'busy'
      if (visit === 'gone') return await cancelAll(tools.em(), endpointId, 'the endpoint was deleted', false)
      if (!visit.leased.enabled) {
        await cancelAll(tools.em(), endpointId, 'the endpoint is disabled', true)
        await release({ againMs: AGAIN_MS })
        return 'done'
      }
      const { max_per_second } = visit.leased
      if (max_per_second !== seen.pace.perSecond) seen.pace = new Pace(max_per_second, resting)
      const hasMore = visit.due.length === most
      if (visit.due.length > 0) await workOff(tools, visit, hasMore, seen)
      if (seen.isFlood) {
        await release({ restSeconds: REST_SECONDS, againMs: REST_SECONDS * 1_000 })
        return 'done'
      }
      most = BATCH.next
      if (!tools.dispatch.isOn()) return (await release({ againMs: 0 })) ? 'more' : 'done'
      const isOver = seen.isOver || performance.now() > until
      if (hasMore && !isOver) continue
      if (!(await release())) return 'done'
      if (isOver) return 'more'
    }
  } catch (error) {
    if (error instanceof AttemptInterrupted) {
      await release({ againMs: 0 })
      return 'more'
    }
    // A server with the key in force delivers. This one may try again, in case nobody is restarted.
    if (isKeyChanged(error)) {
      await release({ againMs: AGAIN_MS })
      return 'done'
    }
    // After a fault of our own the lease stays until it ends, so that the endpoint is not tried again at once.
    if (isDatabaseUnavailable(error)) await release().catch(() => undefined)
    throw error
  }
}

async function cancelAll(
  em: EntityManager,
  endpointId: string,
  why: string,
  onlyDue: boolean,
): Promise<'done'> {
  while ((await cancelPending(em, endpointId, why, onlyDue)) === CANCEL_PIECE);
  return 'done'
}

interface Seen {
  /** When the visit should be over, by `performance.now()`. */
  readonly until: number
  readonly attempting: ReturnType<typeof restWhileQuiet>
  pace: Pace
  /** By its pace, no further attempt begins in this visit. */
  isOver: boolean
  /** Moving average of the time of an attempt that succeeded. 0 before the first. */
  answerMs: number
  /** A receiver sent more than the bounds allow, so no further request is made now. */
  isFlood: boolean
}

/** @param hasMore more deliveries may wait behind this batch */
async function workOff(
  tools: DeliveryTools,
  { leased, due }: Visit,
  hasMore: boolean,
  seen: Seen,
): Promise<void> {
  const target = await openTarget({ em: tools.em(), masterKey: tools.masterKey }, leased)
  const until = performance.now() + TIME.batch
  const waiting = [...due]
  const workers = new Set<Promise<void>>()
  const errors: unknown[] = []
  // False when the endpoint was disabled, changed or deleted. Then the rest of the batch is read again with the new
  // values.
  let isAsLeased = true
  const mayGoOn = (): boolean =>
    performance.now() < until && tools.dispatch.isOn() && isAsLeased && !seen.isFlood && errors.length === 0
  const take = async (): Promise<DueDelivery | undefined> => {
    if (seen.pace.perSecond !== null && waiting.length > 0) {
      const isTurn = await seen.pace.turn(seen.until, mayGoOn)
      if (!isTurn && mayGoOn()) seen.isOver = true
      if (!isTurn) return undefined
    }
    return mayGoOn() ? waiting.shift() : undefined
  }
  const send = async (next: DueDelivery) => {
    const stuck = setTimeout(() => {
      if (workers.size < Math.min(LANES.whenStuck, workers.size + waiting.length)) begin()
    }, LANES.stuckMs).unref()
    try {
      return await seen.attempting(() => deliverOne(tools, target, next))
    } finally {
      clearTimeout(stuck)
    }
  }
  const worker = async (): Promise<void> => {
    const unrecorded: Promise<void>[] = []
    let isConnected = false
    for (let next = await take(); next !== undefined; next = await take()) {
      const began = performance.now()
      const { status, isFlood, record } = await send(next)
      const tookMs = performance.now() - began
      if (isFlood) seen.isFlood = true
      unrecorded.push(
        record()
          .then((changedAt) => {
            isAsLeased &&= changedAt === leased.updated_at
          })
          .catch((error: unknown) => void errors.push(error)),
      )
      if (tookMs > QUICK) await Promise.all(unrecorded.splice(0))
      else if (unrecorded.length > UNRECORDED) await unrecorded.shift()
      if (status !== 'success') continue
      // The first request of a lane may have waited for a handshake.
      if (isConnected) seen.answerMs = seen.answerMs === 0 ? tookMs : 0.8 * seen.answerMs + 0.2 * tookMs
      isConnected = true
      if (workers.size < lanes()) begin()
    }
    await Promise.all(unrecorded)
  }
  const aimMs = hasMore ? LANES.fullMs : LANES.aimMs
  const lanes = (): number =>
    Math.min(LANES.most, waiting.length, Math.max(1, Math.ceil((waiting.length * seen.answerMs) / aimMs)))
  const begin = (): void => {
    // Errors are collected, so that the other workers finish their attempts before the error is thrown.
    workers.add(worker().catch((error: unknown) => void errors.push(error)))
  }
  for (let n = lanes(); n > 0; n -= 1) begin()
  // Iterating over a Set also visits workers that are added during the loop.
  for (const one of workers) await one
  if (errors.length > 0) throw errors[0]
}
