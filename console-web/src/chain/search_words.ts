// What was looked for, in words, and where a single finding is shown in the chain.
import type { Found } from '../search/found.ts'
import type { Named } from '../search/read_names.ts'
import { count } from '../ui/format_count.ts'
import { utc } from '../ui/format_time.ts'

/** Completes "Looked for …". */
export const lookedFor = (named: Named): string => {
  switch (named.kind) {
    case 'item':
      return `the item ${named.id}`
    case 'id':
      return `anything with the id ${named.id}`
    case 'message':
      return `the webhook message ${named.id}`
    case 'hash':
      return `a block, item, observation, epoch or transaction with the hash ${named.hash}`
    case 'digest':
      return `items whose claims carry the digest ${named.digest}`
    case 'height':
      return `the block of height ${count(named.height)}`
    case 'time':
      return `the blocks around ${utc(new Date(named.from).toISOString())} UTC`
    default:
      return named satisfies never
  }
}

/** What can be typed, for a text that names nothing. */
export const EXAMPLES = ['1,234', 'yesterday', 'yesterday 14:00', '2 hours ago', '2027-01-31 09:30'] as const

/** The findings without repetition, blocks first. */
export const merged = (found: readonly (readonly Found[])[]): readonly Found[] => {
  const byPlace = new Map(found.flat().map((one) => [`${one.to} ${one.kind}`, one]))
  return [...byPlace.values()].toSorted((a, b) => Number(b.kind === 'block') - Number(a.kind === 'block'))
}
