// What a verifier may ask the world: each question has one answer, or none today.
import type { LookupPlace } from './lookup_places.ts'

/** `absent`: the source answered that there is no such thing. `unreachable`: no readable answer; `why` is for people. */
export type Lookup<Found> =
  | { readonly outcome: 'found'; readonly value: Found }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unreachable'; readonly why: string }

/** Asks one place for one path; what is found is the JSON as it came. What a bundle says is only ever a checked part of the path. */
export interface Lookups {
  readonly ask: (place: LookupPlace, path: string) => Promise<Lookup<unknown>>
}

export interface Question<Found> {
  readonly place: LookupPlace
  readonly path: string
  /** Undefined when the answer lacks what it must have. What it need not have is undefined in it: it then agrees with nothing. */
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
