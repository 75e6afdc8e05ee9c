// A round of the service: the one item that stands for all digests that arrived together without an account.
import { ROUND_CREATOR_ID } from '../../../../shared/wire/console_stream.ts'
import { numberAt, objectAt } from '../shape.ts'

export type Round = NonNullable<ReturnType<typeof roundOf>>

/** Null for an item of anybody else, whatever its claims say. */
export const roundOf = (creatorId: string | null, claims: unknown) => {
  const metadata = objectAt(claims, 'metadata')
  const number = numberAt(metadata, 'round')
  const size = numberAt(objectAt(metadata, 'tree'), 'size')
  if (creatorId !== ROUND_CREATOR_ID || number === null || size === null) return null
  // The digests are those of others: its first entry is the round's own.
  return { number, digests: size - 1 }
}
