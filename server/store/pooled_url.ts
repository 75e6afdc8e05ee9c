// Addresses of a pooler that shares its connections between transactions, such as PgBouncer. The pooler has a database
// for each purpose, which sets the ceilings of its sessions, because sessions are not the client's there.
import { type PurposeName, purposeNames } from './purposes.ts'

/** Stands in the name of the database, e.g. `postgresql://pharos@pooler:6432/pharos_{purpose}`. */
const PLACE = /\{purpose\}|%7Bpurpose%7D/gi

export const isPooled = (url: string): boolean => new RegExp(PLACE, 'i').test(url)

/** The address for one purpose. One that is not pooled is the same for all. */
export const urlFor = (purpose: PurposeName, url: string): string => url.replaceAll(PLACE, purpose)

/** Every database that the address stands for, each with the purpose that uses it. */
export const pooledUrls = (url: string): ReadonlyMap<PurposeName, string> =>
  new Map(purposeNames.map((purpose) => [purpose, urlFor(purpose, url)]))
