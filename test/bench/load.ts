// Bounded load over keep-alive loopback connections.
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly connections: number
  readonly amount: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

interface LoadTimes {
  /** Of the whole. */
  readonly ms: number
  /** Milliseconds in which 99 of 100 requests were answered. */
  readonly p99: number
}

/** @throws when any answer was not 2xx */
export async function loadTimes(wanted: Load): Promise<LoadTimes> {
  const began = performance.now()
  const { latency, non2xx, errors, timeouts } = await autocannon({ ...wanted, timeout: 60, sampleInt: 50 })
  if (non2xx + errors + timeouts > 0)
    throw new Error(
      `of ${wanted.amount} requests to ${wanted.url}, ${non2xx} were refused, ${errors} cut off (${timeouts} for want of an answer)`,
    )
  return { ms: performance.now() - began, p99: latency.p99 }
}

/**
 * Returns the duration in milliseconds.
 * @throws as `loadTimes` does
 */
export const load = async (wanted: Load): Promise<number> => (await loadTimes(wanted)).ms
