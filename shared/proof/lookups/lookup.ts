// Questions that a verifier asks public services. A question has one answer, or none when the service cannot
// be reached.
import type { LookupAddresses, LookupPlace } from './lookup_places.ts'

/**
 * `absent`: the source answered that the record does not exist. `unreachable`: there is no readable answer,
 * and `why` says why, for people.
 */
export type Lookup<Found> =
  | { readonly outcome: 'found'; readonly value: Found }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unreachable'; readonly why: string }

/**
 * Asks one place for one path. A found value is the JSON as received. Text from a bundle only ever becomes a
 * checked part of the path, never the address.
 */
export interface Lookups {
  readonly ask: (place: LookupPlace, path: string) => Promise<Lookup<unknown>>
}

export interface Question<Found> {
  readonly place: LookupPlace
  readonly path: string
  /**
   * Undefined when the answer lacks a required member. An absent optional member is undefined, and undefined
   * agrees with nothing.
   */
  readonly read: (body: unknown) => Found | undefined
}

export async function look<Found>(
  lookups: Lookups,
  { place, path, read }: Question<Found>,
): Promise<Lookup<Found>> {
  const answer = await lookups.ask(place, path)
  if (answer.outcome !== 'found') return answer
  const value = read(answer.value)
  return value === undefined
    ? { outcome: 'unreachable', why: 'its answer is not readable' }
    : { outcome: 'found', value }
}

export function memberIn(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  return Object.getOwnPropertyDescriptor(body, name)?.value
}

export function stringIn(body: unknown, name: string): string | undefined {
  const value = memberIn(body, name)
  return typeof value === 'string' ? value : undefined
}

export function booleanIn(body: unknown, name: string): boolean | undefined {
  const value = memberIn(body, name)
  return typeof value === 'boolean' ? value : undefined
}

export function integerIn(body: unknown, name: string): number | undefined {
  const value = memberIn(body, name)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

/**
 * One GET with limits on time and bytes. `body` is the parsed JSON; undefined when the answer is not JSON,
 * which is normal for a 404. `failure` gives a short reason why there is no answer. Does not throw on network
 * errors.
 */
export type GetJson = (
  url: string,
) => Promise<{ readonly status: number; readonly body: unknown } | { readonly failure: string }>

/** Lookups over HTTP. Each question gets one attempt, and only status 200 is an answer. */
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
