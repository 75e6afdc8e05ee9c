// Lookups over HTTP: one attempt per question, and only a 200 is an answer.
import type { Lookups } from './lookup.ts'
import type { LookupAddresses } from './lookup_places.ts'

/**
 * One GET, bounded in time and bytes. `body` is what the JSON said; undefined when it was none, which a 404 may well be.
 * `failure` says in a few words why there is no answer. Does not throw for what the network does.
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
