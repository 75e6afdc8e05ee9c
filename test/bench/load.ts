// Bounded load over keep-alive loopback connections.
import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  readonly connections: number
  readonly amount: number
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
}

/**
 * Returns the duration in milliseconds.
 * @throws when any answer was not 2xx
 */
export async function load(wanted: Load): Promise<number> {
  const began = performance.now()
  const result = await autocannon({ ...wanted, timeout: 60, sampleInt: 50 })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of ${wanted.amount} requests to ${wanted.url} failed`)
  return performance.now() - began
}
