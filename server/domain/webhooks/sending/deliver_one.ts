// Makes one attempt at one delivery, decides its outcome and records it. The queue and samples both use it.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Log } from '../../../kernel/log.ts'
import { type MasterKey, unlessBroken } from '../../../kernel/sealed.ts'
import { step } from '../../../kernel/step.ts'
import { refuseIfChanged, type Sealing } from '../../../store/seal.ts'
import { MAX_ADDRESSES } from '../deliveries/delivery.ts'
import { openHeaders, openSecret } from '../endpoints/endpoint.ts'
import { messageSigner, openSigningKeys } from '../endpoints/signing_keys.ts'
import { type Attempted, type AttemptTools, attempt, letterheadOf, notSent, type Target } from './attempt.ts'
import type { DispatchSwitch } from './attempts_under_way.ts'
import type { DueDelivery } from './due_deliveries.ts'
import type { Leased } from './lease.ts'
import { judgeAttempt, type Outcome, RETRIES } from './outcome.ts'
import type { RecordOutcome } from './record_outcomes.ts'
import type { Visits } from './visits.ts'

export interface DeliveryTools extends AttemptTools {
  readonly em: () => EntityManager
  readonly masterKey: MasterKey
  readonly visits: Visits
  readonly record: RecordOutcome
  /** No attempt begins while it is off. */
  readonly dispatch: Pick<DispatchSwitch, 'isOn'>
  /** Called for every recorded attempt, for the metrics. */
  readonly onAttempted: (outcome: Outcome, attempted: Attempted) => void
  readonly log: Log
}

/** What is stored for the endpoint does not open, so nothing can be sent to it. */
interface UnopenedTarget {
  readonly endpointId: string
  /** Why, for the endpoint's owner. */
  readonly unopened: string
}

/**
 * Makes one attempt. Nothing is stored until the caller calls `record`.
 * @throws AttemptInterrupted when the server stops
 */
export async function deliverOne(
  tools: Omit<DeliveryTools, 'em' | 'masterKey'>,
  target: Target | UnopenedTarget,
  due: Omit<DueDelivery, 'endpoint_id'>,
) {
  const number = due.attempts + 1
  const send = (to: Target): Promise<Attempted> =>
    step(
      'webhook attempt',
      async (made) => {
        const done = await attempt(tools, to, due)
        made.facts['pharos.happening'] = done.happening.kind
        return done
      },
      {
        describe: () => ({ facts: { 'pharos.event': due.event_type, 'pharos.attempt': number } }),
      },
    )
  const attempted = !due.may_read
    ? notSent(WITHHELD)
    : 'unopened' in target
      ? notSent({ kind: 'unopened', error: target.unopened })
      : await send(target)
  const most = due.is_sample ? 1 : RETRIES.attempts
  const outcome = judgeAttempt(attempted.happening, number, most)
  const entry = {
    number,
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
    const { address, http_status, error, duration_ms } = entry
    const what = { delivery_id: due.id, endpoint_id: endpointId, event_type: due.event_type, attempt: number }
    const outcomeFields = { status: outcome.status, http_status, error, address, duration_ms }
    tools.log.info({ ...what, ...outcomeFields }, 'webhook.attempted')
    return changedAt
  }
  return { status: outcome.status, isFlood: attempted.isFlood, record }
}

/** The owner can no longer read the item, for example because the owner left the team. */
export const WITHHELD = {
  kind: 'withheld',
  error: 'the owner of the endpoint may no longer read this item',
} as const

/**
 * Opens the secrets of the endpoint. Call it once per batch.
 * @throws master_key_changed when a server with the new master key must deliver
 */
export async function openTarget(
  { em, masterKey }: Sealing,
  { id, url: text, auth_type, sealed_auth_secret, sealed_custom_headers, sealed_signing_keys }: Leased,
): Promise<Target | UnopenedTarget> {
  const url = new URL(text)
  const closed: string[] = []
  const opened = <T>(
    name: string,
    sealed: Buffer | null,
    open: (key: MasterKey, id: string, sealed: Buffer) => T,
  ): T | undefined => {
    if (sealed === null) return undefined
    const value = unlessBroken(() => open(masterKey, id, sealed))
    if (value === undefined) closed.push(name)
    return value
  }
  const secret = opened('auth_secret', sealed_auth_secret, openSecret)
  const headers = opened('custom_headers', sealed_custom_headers, openHeaders)
  const keys = opened('signing keys', sealed_signing_keys, openSigningKeys)
  if (closed.length === 0)
    return {
      endpointId: id,
      url,
      letterhead: letterheadOf(url, auth_type, secret, headers ?? []),
      sign: keys && messageSigner(keys),
    }
  await refuseIfChanged({ em, masterKey })
  const unopened = `the stored ${closed.join(' and ')} of the endpoint cannot be opened and must be given again`
  return { endpointId: id, unopened }
}
