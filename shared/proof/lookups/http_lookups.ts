// Lookups over HTTP. Each question gets one attempt, and only status 200 is an answer.
import type { Lookups } from './lookup.ts'
import type { LookupAddresses } from './lookup_places.ts'

/**
 * One GET with limits on time and bytes. `body` is the parsed JSON; undefined when the answer is not JSON,
 * which is normal for a 404. `failure` gives a short reason why there is no answer. Does not throw on network
 * errors.
 */
export type GetJson = (
  url: string,
) => Promise<{ readonly status: number; readonly body: unknown } | { readonly failure: string }>

export const httpLookups = ({
  getJson,
  addresses,
}: {
  getJson: GetJson
  addresses: LookupAddresses
}): Lookups => ({
  ask: async (place, path) => {
    const answer = await getJson(`${addresses[place].replace(/\/+$/, '')}/${path}`)
    if ('failure' in answer) return { outcome: 'unreachable', why: answer.failure }
    if (answer.status === 404) return { outcome: 'absent' }
    if (answer.status !== 200)
      return { outcome: 'unreachable', why: `it answered with status ${answer.status}` }
    return { outcome: 'found', value: answer.body }
  },
})
