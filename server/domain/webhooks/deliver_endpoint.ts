// Delivers what is due at one endpoint in batches. Every outcome is durable before the next batch begins.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { isDatabaseUnavailable } from '../../store/database_errors.ts'
import { Interrupted } from './attempt.ts'
import { CANCEL_PIECE, cancelPending } from './cancel_pending.ts'
import { type DeliveryTools, deliverOne, openTarget } from './deliver_one.ts'
import {
  type DueDelivery,
  dueDeliveries,
  LEASE_SECONDS,
  type Leased,
  leaseEndpoint,
  releaseEndpoint,
} from './due_deliveries.ts'
import { RECEIVER_BOUNDS, REST_SECONDS } from './receiver_bounds.ts'

/** `more` means that the time was over before all was done. `busy` means that another worker has the lease. */
export type Worked = 'done' | 'more' | 'busy'

/**
 * Parallel attempts per endpoint, which is also the number of connections that the receiver sees. It starts at
 * `first` and grows by one with every `more` successes up to `most`, because extra handshakes pay off only for a long
 * queue.
 */
const AT_A_TIME = { first: 2, more: 20, most: 10 } as const

const BATCH = 100

/**
 * Milliseconds. No attempt begins after `batch`, so that all attempts end before the lease does. After `round` the
 * worker goes on to another endpoint.
 */
const TIME = { batch: LEASE_SECONDS * 1_000 - RECEIVER_BOUNDS.whole - 5_000, round: 5_000 } as const

/**
 * Milliseconds. After a slower answer, the outcome is recorded before the next request, so that a change of the
 * endpoint is noticed.
 */
const QUICK = 100

/**
 * Safe to call for any id, any number of times, by any number of servers, because the lease admits one worker. If the
 * server crashes, another worker continues when the lease ends, and attempts that were not recorded are made again.
 */
export async function deliverEndpoint(tools: DeliveryTools, endpointId: string): Promise<Worked> {
  const leaseId = newUuid7()
  const until = performance.now() + TIME.round
  const seen: Seen = { successes: 0, isFlood: false }
  try {
    for (;;) {
      const em = tools.em()
      const leased = await leaseEndpoint({ em }, endpointId, leaseId)
      if (leased === 'busy') return 'busy'
      if (leased === 'gone') return await cancelAll(em, endpointId, 'the endpoint was deleted', false)
      if (!leased.enabled) {
        await cancelAll(em, endpointId, 'the endpoint is disabled', true)
        await releaseEndpoint({ em }, endpointId, leaseId)
        return 'done'
      }
      const due = await dueDeliveries({ em }, endpointId, BATCH)
      if (due.length > 0) await workOff(tools, leased, due, seen)
      if (seen.isFlood) {
        await releaseEndpoint({ em }, endpointId, leaseId, REST_SECONDS)
        return 'done'
      }
      const isOver = performance.now() > until || !tools.dispatch.isOn()
      if (due.length > 0 && !isOver) continue
      await releaseEndpoint({ em }, endpointId, leaseId)
      // Look once more, because orders for deliveries that became due before the release were ignored while the
      // endpoint was leased.
      const left = await dueDeliveries({ em }, endpointId, 1)
      if (left.length === 0) return 'done'
      if (isOver) return 'more'
    }
  } catch (error) {
    if (error instanceof Interrupted) {
      await releaseEndpoint({ em: tools.em() }, endpointId, leaseId)
      return 'more'
    }
    // After a fault of our own the lease stays until it ends, so that the endpoint is not tried again at once.
    if (isDatabaseUnavailable(error))
      await releaseEndpoint({ em: tools.em() }, endpointId, leaseId).catch(() => undefined)
    throw error
  }
}

async function cancelAll(
  em: EntityManager,
  endpointId: string,
  why: string,
  onlyDue: boolean,
): Promise<'done'> {
  while ((await cancelPending({ em }, endpointId, why, onlyDue)) === CANCEL_PIECE);
  return 'done'
}

interface Seen {
  successes: number
  /** A receiver sent more than the bounds allow, so no further request is made now. */
  isFlood: boolean
}

async function workOff(
  tools: DeliveryTools,
  leased: Leased,
  due: readonly DueDelivery[],
  seen: Seen,
): Promise<void> {
  const target = openTarget(tools.masterKey, leased)
  const until = performance.now() + TIME.batch
  const waiting = [...due]
  const workers = new Set<Promise<void>>()
  const errors: unknown[] = []
  // False when the endpoint was disabled, changed or deleted. Then the rest of the batch is read again with the new
  // values.
  let isAsLeased = true
  const mayGoOn = (): boolean =>
    performance.now() < until && tools.dispatch.isOn() && isAsLeased && !seen.isFlood && errors.length === 0
  const worker = async (): Promise<void> => {
    let recorded = Promise.resolve()
    for (let next = waiting.shift(); next !== undefined && mayGoOn(); next = waiting.shift()) {
      const began = performance.now()
      const { status, isFlood, record } = await deliverOne(tools, leased.id, target, next)
      if (isFlood) seen.isFlood = true
      // Each worker may record one outcome while it makes the next request.
      await recorded
      recorded = record()
        .then((changedAt) => {
          isAsLeased &&= changedAt === leased.updated_at
        })
        .catch((error: unknown) => void errors.push(error))
      if (performance.now() - began > QUICK) await recorded
      if (status === 'success') seen.successes += 1
      if (workers.size < lanes()) begin()
    }
    await recorded
  }
  const lanes = (): number =>
    Math.min(AT_A_TIME.most, waiting.length, AT_A_TIME.first + Math.floor(seen.successes / AT_A_TIME.more))
  const begin = (): void => {
    // Errors are collected, so that the other workers finish their attempts before the error is thrown.
    workers.add(worker().catch((error: unknown) => void errors.push(error)))
  }
  for (let n = lanes(); n > 0; n -= 1) begin()
  // Iterating over a Set also visits workers that are added during the loop.
  for (const one of workers) await one
  if (errors.length > 0) throw errors[0]
}
