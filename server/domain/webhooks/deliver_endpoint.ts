// Works off what is due at one endpoint: a few at a time, batch after batch, every outcome durable before the next batch.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import { isDatabaseUnavailable } from '../../store/database_faults.ts'
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

/** `more`: its time was over before its work was. `busy`: somebody else is at it. */
export type Worked = 'done' | 'more' | 'busy'

/**
 * Attempts to one endpoint at a time: also the number of connections its receiver sees. It begins with a few, and gets
 * one more with every so many that got through: a short queue is not worth the handshakes, a long one is.
 */
const AT_A_TIME = { first: 2, more: 20, most: 10 } as const

const BATCH = 100

/** Milliseconds. After the first no attempt of a batch is begun, so that all are over before the lease is; after the second the worker goes on to another endpoint. */
const TIME = { batch: LEASE_SECONDS * 1_000 - RECEIVER_BOUNDS.whole - 5_000, round: 5_000 } as const

/** Milliseconds. After an answer that took longer, nothing is sent before its record has told whether anything changed. */
const QUICK = 100

/** Safe to call for any id, any number of times, by any number of servers. */
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
      // What became due between the last look and the release was told to nobody: whoever was told found it leased.
      const left = await dueDeliveries({ em }, endpointId, 1)
      if (left.length === 0) return 'done'
      if (isOver) return 'more'
    }
  } catch (error) {
    if (error instanceof Interrupted) {
      await releaseEndpoint({ em: tools.em() }, endpointId, leaseId)
      return 'more'
    }
    // A fault of ours keeps the lease until it runs out, so that it does not come back at once.
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
  /** One of the answers was more than may be read: the others are not asked for now. */
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
  const failures: unknown[] = []
  // Paused, moved or deleted: the rest of the batch is looked at again, with what the endpoint is now.
  let isAsLeased = true
  const mayGoOn = (): boolean =>
    performance.now() < until && tools.dispatch.isOn() && isAsLeased && !seen.isFlood && failures.length === 0
  const worker = async (): Promise<void> => {
    let recorded = Promise.resolve()
    for (let next = waiting.shift(); next !== undefined && mayGoOn(); next = waiting.shift()) {
      const began = performance.now()
      const { status, isFlood, record } = await deliverOne(tools, leased.id, target, next)
      if (isFlood) seen.isFlood = true
      // One outcome of each worker may still be on its way to the database while the next request is.
      await recorded
      recorded = record()
        .then((changedAt) => {
          isAsLeased &&= changedAt === leased.updated_at
        })
        .catch((error: unknown) => void failures.push(error))
      if (performance.now() - began > QUICK) await recorded
      if (status === 'success') seen.successes += 1
      if (workers.size < lanes()) begin()
    }
    await recorded
  }
  const lanes = (): number =>
    Math.min(AT_A_TIME.most, waiting.length, AT_A_TIME.first + Math.floor(seen.successes / AT_A_TIME.more))
  const begin = (): void => {
    // Caught at once: the others are let finish what they have begun before anybody hears of it.
    workers.add(worker().catch((error: unknown) => void failures.push(error)))
  }
  for (let n = lanes(); n > 0; n -= 1) begin()
  // A set is walked to its end, also to what was added on the way.
  for (const one of workers) await one
  if (failures.length > 0) throw failures[0]
}
