// What is due later, or at once but not in the hands of this worker, waits as a retry of its endpoint.
import type { EntityManager } from '@mikro-orm/postgresql'

export interface Retry {
  readonly endpointId: string
  /** Milliseconds from now until the endpoint has something due. */
  readonly afterMs: number
}

/**
 * Sends the retries in the transaction of `em`. An endpoint has at most one that waits: another one only moves it forward.
 * Safe to repeat, because an endpoint without anything due costs no more than a look.
 */
export type SendRetries = (em: EntityManager, retries: readonly Retry[]) => Promise<void>
