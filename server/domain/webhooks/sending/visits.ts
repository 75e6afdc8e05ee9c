// Visits of workers to endpoints. Visits that begin or end together share their statements, so that an endpoint with
// one delivery does not cost several statements of its own.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type GatherOptions, gather } from '../../../kernel/flow/gather.ts'
import { isDatabaseUnavailable } from '../../../store/database_errors.ts'
import { type DueDelivery, dueDeliveries, withDueDeliveries } from './due_deliveries.ts'
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

export interface Visits {
  /** Takes or renews the lease and reads what is due. `busy` and `gone` as in `leaseEndpoints`. */
  readonly begin: (wanted: Begun) => Promise<Visit | 'busy' | 'gone'>
  /**
   * Releases the lease, if the worker has it. Returns whether something is due. It looks after the release, because
   * orders for what became due before were ignored while the endpoint was leased.
   */
  readonly end: (released: Released) => Promise<boolean>
}

/** Endpoints per statement, which bounds the payloads that one answer holds. */
const TOGETHER: GatherOptions<WantedLease> = {
  max: 20,
  lanes: 1,
  ceiling: 10_000,
  full: () => new Error('Too many endpoints are visited at once.'),
  isWhole: isDatabaseUnavailable,
}

export function openVisits({ em }: { em: () => EntityManager }): Visits {
  return Object.freeze({
    begin: gather<Begun, Visit | 'busy' | 'gone'>(async (wanted) => {
      const leased = await leaseEndpoints(em(), wanted)
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
        return { value: typeof one === 'string' ? one : { leased: one, due: due.get(endpointId) ?? [] } }
      })
    }, TOGETHER),
    end: gather<Released, boolean>(async (released) => {
      await releaseEndpoints(em(), released)
      const due = await withDueDeliveries(
        em(),
        released.map(({ endpointId }) => endpointId),
      )
      return released.map(({ endpointId }) => ({ value: due.has(endpointId) }))
    }, TOGETHER),
  })
}
