// Works off what is due at one endpoint: a few at a time, batch after batch, each outcome durable before the next begins.
import type { EntityManager } from '@mikro-orm/postgresql'
import { newUuid7 } from '../../kernel/identifiers.ts'
import type { Log } from '../../kernel/log.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { isDatabaseUnavailable } from '../../store/database_faults.ts'
import { type Attempted, attempt, Interrupted, type Letter, type Target } from './attempt.ts'
import { CANCEL_PIECE, cancelPending } from './cancel_pending.ts'
import type { DispatchSwitch } from './dispatch_switch.ts'
import {
  type DueDelivery,
  dueDeliveries,
  LEASE_SECONDS,
  type Leased,
  leaseEndpoint,
  releaseEndpoint,
} from './due_deliveries.ts'
import { openHeaders, openSecret } from './endpoint.ts'
import type { Guard } from './guard/vet_target.ts'
import type { Lines } from './lines.ts'
import { judge, type Outcome } from './outcome.ts'
import { POST_LIMITS } from './post_pinned.ts'
import type { RecordOutcome } from './record_outcomes.ts'
import { RETRIES } from './retry_schedule.ts'

export interface DeliveryTools {
  readonly em: () => EntityManager
  readonly masterKey: MasterKey
  readonly guard: Guard
  readonly lines: Pick<Lines, 'to'>
  readonly record: RecordOutcome
  /** Nothing is begun while it is off. */
  readonly dispatch: Pick<DispatchSwitch, 'isOn' | 'interrupted'>
  /** Told of every attempt once it is recorded, for the counters. */
  readonly onAttempted: (outcome: Outcome, attempted: Attempted) => void
  readonly log: Log
}

/** `more`: its time was over before its work was. `busy`: somebody else is at it. */
export type Worked = 'done' | 'more' | 'busy'

/**
 * Attempts to one endpoint at a time: also the number of connections its receiver sees. It begins with a few, and gets
 * one more with every so many that got through: a short queue is not worth the handshakes, a long one is.
 */
export const AT_A_TIME = { first: 2, more: 20, most: 10 } as const

const BATCH = 100

/** Milliseconds. After the first no attempt of a batch is begun, so that all are over before the lease is; after the second it is another endpoint's turn. */
const TIME = { batch: LEASE_SECONDS * 1_000 - POST_LIMITS.whole - 5_000, turn: 20_000 } as const

/** Safe to call for any id, any number of times, by any number of servers. */
export async function deliverEndpoint(tools: DeliveryTools, endpointId: string): Promise<Worked> {
  const leaseId = newUuid7()
  const until = performance.now() + TIME.turn
  const success = { count: 0 }
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
      if (due.length > 0) await workOff(tools, leased, due, success)
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

async function workOff(
  tools: DeliveryTools,
  leased: Leased,
  due: readonly DueDelivery[],
  success: { count: number },
): Promise<void> {
  const target = openTarget(tools.masterKey, leased)
  const until = performance.now() + TIME.batch
  const waiting = [...due]
  const workers = new Set<Promise<void>>()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (performance.now() > until || !tools.dispatch.isOn() || failures.length > 0) return
      const { status } = await deliverOne(tools, leased.id, target, next)
      if (status === 'success') success.count += 1
      if (workers.size < lanes()) begin()
    }
  }
  const lanes = (): number =>
    Math.min(AT_A_TIME.most, waiting.length, AT_A_TIME.first + Math.floor(success.count / AT_A_TIME.more))
  const begin = (): void => {
    // Caught at once: the others are let finish what they have begun before anybody hears of it.
    workers.add(worker().catch((error: unknown) => void failures.push(error)))
  }
  for (let n = lanes(); n > 0; n -= 1) begin()
  // A set is walked to its end, also to what was added on the way.
  for (const one of workers) await one
  if (failures.length > 0) throw failures[0]
}

/** One attempt and its record, from whoever sends: the queue, or a sample that is asked for. */
export async function deliverOne(
  tools: Omit<DeliveryTools, 'em' | 'masterKey'>,
  endpointId: string,
  target: Target,
  due: DueDelivery,
): Promise<Outcome> {
  const letter: Letter = {
    deliveryId: due.id,
    messageId: due.message_id,
    eventType: due.event_type,
    payload: due.payload,
    attempt: due.attempts + 1,
  }
  const attempted = due.may_read
    ? await attempt(
        {
          guard: tools.guard,
          lineTo: (url, address) => tools.lines.to(endpointId, url, address),
          interrupted: tools.dispatch.interrupted,
        },
        target,
        letter,
      )
    : withheld()
  const most = due.is_sample ? 1 : RETRIES.attempts
  const outcome = judge(attempted.happening, letter.attempt, most)
  const entry = {
    number: letter.attempt,
    at: attempted.at.toISOString(),
    resolved_addresses: attempted.resolvedAddresses,
    address: attempted.address,
    http_status: outcome.httpStatus,
    error: outcome.error,
    duration_ms: attempted.durationMs,
  }
  await tools.record({ deliveryId: due.id, outcome, entry, responseBody: attempted.responseBody })
  tools.onAttempted(outcome, attempted)
  const { number, address, http_status, error, duration_ms } = entry
  tools.log.info(
    {
      delivery_id: due.id,
      endpoint_id: endpointId,
      event_type: due.event_type,
      attempt: number,
      status: outcome.status,
      http_status,
      error,
      address,
      duration_ms,
    },
    'webhook.attempted',
  )
  return outcome
}

/** Its owner has left the team since it happened: nothing is sent, nobody is asked. */
const withheld = (): Attempted => ({
  happening: { kind: 'withheld', error: 'the owner of the endpoint may no longer read this item' },
  at: new Date(),
  resolvedAddresses: [],
  address: null,
  durationMs: 0,
  responseBody: null,
})

export function openTarget(
  masterKey: MasterKey,
  { id, url, auth_type, sealed_auth_secret, sealed_custom_headers }: Leased,
): Target {
  return {
    url: new URL(url),
    authType: auth_type,
    secret: sealed_auth_secret === null ? undefined : openSecret(masterKey, id, sealed_auth_secret),
    headers: sealed_custom_headers === null ? [] : openHeaders(masterKey, id, sealed_custom_headers),
  }
}
