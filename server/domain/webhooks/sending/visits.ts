// Visits of workers to endpoints. Visits that begin or end together share their statements, so that an endpoint with
// one delivery does not cost several statements of its own.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type GatherOptions, gather } from '../../../kernel/flow/gather.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import type { SendRetries } from '../deliveries/delivery.ts'
import { type DueDelivery, dueDeliveries, nextDue } from './due_deliveries.ts'
import { type Leased, leaseEndpoints, type Released, releaseEndpoints, type WantedLease } from './lease.ts'

interface Begun extends WantedLease {
  /** Deliveries at most. */
  readonly most: number
}

export interface Visit {
  readonly leased: Leased
  /** Longest due first. Empty when the endpoint is disabled. */
  readonly due: readonly DueDelivery[]
}

interface Ended extends Released {
  /** Milliseconds after which a retry looks at what is due. Absent when this worker goes on with it. */
  readonly againMs?: number
}

export type Visits = ReturnType<typeof openVisits>

/** Milliseconds. A change of an endpoint is over by then. */
const LOCKED_MS = 500

/** Endpoints per statement, which bounds the payloads that one answer holds. */
const TOGETHER: GatherOptions<WantedLease> = {
  max: 20,
  lanes: 1,
  ceiling: 10_000,
  full: () => new Error('Too many endpoints are visited at once.'),
  isWhole: isDatabaseUnavailable,
}

export function openVisits({ em, sendRetries }: { em: () => EntityManager; sendRetries: SendRetries }) {
  return Object.freeze({
    /**
     * Takes or renews the lease and reads what is due. `busy` and `gone` as in `leaseEndpoints`. An endpoint whose row is
     * being changed is `busy` too, and looked at again soon.
     */
    begin: gather<Begun, Visit | 'busy' | 'gone'>(async (wanted) => {
      const leased = await leaseEndpoints(em(), wanted)
      const locked = wanted.filter(({ leaseId }) => leased.get(leaseId) === 'locked')
      if (locked.length > 0)
        await sendRetries(
          em(),
          locked.map(({ endpointId }) => ({ endpointId, afterMs: LOCKED_MS })),
        )
      const enabled = wanted.filter(({ leaseId }) => {
        const one = leased.get(leaseId)
        return typeof one === 'object' && one.enabled
      })
      const due = Map.groupBy(
        enabled.length === 0 ? [] : await dueDeliveries(em(), enabled),
        ({ endpoint_id }) => endpoint_id,
      )
      return wanted.map(({ endpointId, leaseId }) => {
        const one = leased.get(leaseId) ?? 'gone'
        if (one === 'locked') return { value: 'busy' }
        return { value: typeof one === 'string' ? one : { leased: one, due: due.get(endpointId) ?? [] } }
      })
    }, TOGETHER),
    /**
     * Releases the lease, if the worker has it, and sends a retry for what is due next. Returns whether something is due
     * now. It looks after the release, because orders for what became due before were ignored while the endpoint was
     * leased.
     */
    end: gather<Ended, boolean>(async (ended) => {
      await releaseEndpoints(em(), ended)
      const next = await nextDue(
        em(),
        ended.map(({ endpointId }) => endpointId),
      )
      const retries = ended.flatMap(({ endpointId, againMs }) => {
        const waitMs = next.get(endpointId)
        const isLeft = waitMs !== undefined && (waitMs > 0 || againMs !== undefined)
        return isLeft ? [{ endpointId, afterMs: Math.max(waitMs, againMs ?? 0) }] : []
      })
      if (retries.length > 0) await sendRetries(em(), retries)
      return ended.map(({ endpointId }) => ({ value: (next.get(endpointId) ?? 1) <= 0 }))
    }, TOGETHER),
  })
}
