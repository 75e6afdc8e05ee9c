// Makes one attempt at one delivery, decides its outcome and records it. The queue and samples both use it.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../kernel/log.ts'
import type { MasterKey } from '../../kernel/sealed.ts'
import { step } from '../../kernel/step.ts'
import {
  type Attempted,
  attempt,
  type Letter,
  letterheadOf,
  type OwnReceiver,
  type Target,
} from './attempt.ts'
import type { AttemptsUnderWay } from './attempts_under_way.ts'
import { type DeliveryStatus, MAX_ADDRESSES } from './delivery.ts'
import type { DispatchSwitch } from './dispatch_switch.ts'
import type { DueDelivery } from './due_deliveries.ts'
import { openHeaders, openSecret } from './endpoint.ts'
import type { Guard } from './guard/vet_target.ts'
import type { Leased } from './lease.ts'
import type { Lines } from './lines.ts'
import { judge, type Outcome } from './outcome.ts'
import type { RecordOutcome } from './record_outcomes.ts'
import { RETRIES } from './retry_schedule.ts'
import type { Visits } from './visits.ts'

export interface DeliveryTools {
  readonly em: () => EntityManager
  readonly masterKey: MasterKey
  readonly guard: Guard
  readonly lines: Pick<Lines, 'to'>
  /** Absent where the service has no receiver of its own. */
  readonly receiver?: OwnReceiver | undefined
  readonly visits: Visits
  readonly record: RecordOutcome
  /** No attempt begins while it is off. */
  readonly dispatch: Pick<DispatchSwitch, 'isOn'>
  readonly underWay: AttemptsUnderWay
  /** Called for every recorded attempt, for the metrics. */
  readonly onAttempted: (outcome: Outcome, attempted: Attempted) => void
  readonly log: Log
}

export interface Delivered {
  readonly status: DeliveryStatus
  readonly isFlood: boolean
  readonly record: () => ReturnType<RecordOutcome>
}

/**
 * Makes one attempt. Nothing is stored until the caller calls `record`.
 * @throws Interrupted when the server stops
 */
export async function deliverOne(
  tools: Omit<DeliveryTools, 'em' | 'masterKey'>,
  target: Target,
  due: Omit<DueDelivery, 'endpoint_id'>,
): Promise<Delivered> {
  const letter: Letter = {
    deliveryId: due.id,
    messageId: due.message_id,
    eventType: due.event_type,
    payload: due.payload,
    attempt: due.attempts + 1,
  }
  const attempted = due.may_read
    ? await step(
        'webhook attempt',
        async (made) => {
          const done = await attempt(tools, target, letter)
          made.facts['pharos.happening'] = done.happening.kind
          return done
        },
        {
          describe: () => ({
            facts: { 'pharos.event': due.event_type, 'pharos.attempt': letter.attempt },
          }),
        },
      )
    : withheld()
  const most = due.is_sample ? 1 : RETRIES.attempts
  const outcome = judge(attempted.happening, letter.attempt, most)
  const entry = {
    number: letter.attempt,
    at: attempted.at.toISOString(),
    resolved_addresses: attempted.resolvedAddresses.slice(0, MAX_ADDRESSES),
    address: attempted.address,
    http_status: outcome.httpStatus,
    error: outcome.error,
    duration_ms: attempted.durationMs,
  }
  const { endpointId } = target
  const record = async (): ReturnType<RecordOutcome> => {
    const { responseBody } = attempted
    const changedAt = await tools.record({ deliveryId: due.id, endpointId, outcome, entry, responseBody })
    tools.onAttempted(outcome, attempted)
    const { number, address, http_status, error, duration_ms } = entry
    const what = { delivery_id: due.id, endpoint_id: endpointId, event_type: due.event_type, attempt: number }
    const outcomeFields = { status: outcome.status, http_status, error, address, duration_ms }
    tools.log.info({ ...what, ...outcomeFields }, 'webhook.attempted')
    return changedAt
  }
  return { status: outcome.status, isFlood: attempted.isFlood, record }
}

/** The owner can no longer read the item, for example because the owner left the team. Nothing is sent. */
const withheld = (): Attempted => ({
  happening: { kind: 'withheld', error: 'the owner of the endpoint may no longer read this item' },
  at: new Date(),
  resolvedAddresses: [],
  address: null,
  durationMs: 0,
  responseBody: null,
  isFlood: false,
})

/** Opens the secrets of the endpoint. Call it once per batch. */
export function openTarget(
  masterKey: MasterKey,
  { id, url: text, auth_type, sealed_auth_secret, sealed_custom_headers }: Leased,
): Target {
  const url = new URL(text)
  const secret = sealed_auth_secret === null ? undefined : openSecret(masterKey, id, sealed_auth_secret)
  const headers = sealed_custom_headers === null ? [] : openHeaders(masterKey, id, sealed_custom_headers)
  return { endpointId: id, url, letterhead: letterheadOf(url, auth_type, secret, headers) }
}
