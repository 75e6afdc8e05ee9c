// The context of resolvers: the catalog's context plus the parts that GraphQL adds.
import { hash } from 'node:crypto'
import type { PublishedResource } from '../../../catalog/catalog.ts'
import { type Context, extended, type Once } from '../../../catalog/context.ts'
import type { Room, Shows } from '../../../contract/row_columns.ts'
import type { Charge } from '../../../domain/limits/charge.ts'
import type { AtOnce } from '../../../kernel/flow/at_once.ts'
import type { ReadText } from './scalars.ts'

/**
 * Loads the related rows of one row that the caller may read. Calls made before the event loop
 * continues share one query.
 */
export type LoadRelated = (
  source: PublishedResource,
  relationship: string,
  id: string,
  most: number,
) => Promise<readonly ShownRow[]>

/** A row that the caller may see, with its resource. */
export interface ShownRow {
  readonly resource: PublishedResource
  readonly row: object
  readonly context: Context
}

/** The answer being prepared. */
export interface Answer {
  /** The space left in the answer. In a subscription, each event is one answer. */
  readonly room: () => Room
  /** Which fields it can show. */
  readonly shows: Shows
}

export interface GraphqlContext extends Context, Answer {
  readonly loadRelated: LoadRelated
  /** Runs work of root fields that read from the database, a few at a time. */
  readonly fewAtOnce: <T>(work: () => AtOnce<T>) => Promise<T>
  /** Parses arguments that are JSON texts. */
  readonly readText: ReadText
  /** Set when the caller's budget is spent. Utilities then report it in their own errors, and nothing else runs. */
  readonly overBudget?: Charge
  /** Set when the request has an Idempotency-Key. Returns the key of the next write. */
  readonly nextOnce?: () => Once
  /** Set when the only root field was resolved before graphql-js completes it: its value, or its error. */
  readonly settled?: () => unknown
  /** Only on a stream: ends the connection of a client that reads too slowly. */
  readonly hangUp?: () => void
}

/**
 * Returns the keys of a request's writes in the order in which they run. The first write uses the request's own key.
 */
export function eachOnce({ key, request }: Once): () => Once {
  let count = 0
  return () => {
    count += 1
    return { request, key: count === 1 ? key : hash('sha256', `${key}\n${count}`, 'hex') }
  }
}

/** For a write that supports the Idempotency-Key. */
export const atMostOnce = (context: GraphqlContext): GraphqlContext =>
  context.nextOnce === undefined ? context : extended(context, { once: context.nextOnce() })

/**
 * Root fields of one request that read at the same time. It is less than the number of connections; while other
 * callers are active, only one reads.
 */
const ROOT_FIELDS_AT_ONCE = 2

/** Create one per request. */
export function limitRootFields({ yieldToEventLoop, isCrowded }: Context): GraphqlContext['fewAtOnce'] {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= (isCrowded() ? 1 : ROOT_FIELDS_AT_ONCE))
      await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      const rest = yieldToEventLoop()
      if (rest !== undefined) await rest
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
