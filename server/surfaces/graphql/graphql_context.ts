// What resolvers are given: one request's view of the house, and what GraphQL adds to it.
import { hash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context, Once } from '../../catalog/context.ts'
import type { Room, Shows } from '../../contract/row_columns.ts'
import type { Charge } from '../../domain/limits/charge.ts'
import type { ReadText } from './json_texts.ts'

/** The related rows of one row, as far as the caller may read them; what is asked for before the event loop goes on is one query. */
export type LoadRelated = (
  source: PublishedResource,
  relationship: string,
  id: string,
  most: number,
) => Promise<readonly ShownRow[]>

/** A row that may be shown, and its resource. */
export interface ShownRow {
  readonly resource: PublishedResource
  readonly row: object
  readonly context: Context
}

/** What is to be answered. */
export interface Answer {
  /** What it may still hold; of a subscription each event is an answer. */
  readonly room: () => Room
  /** Which fields it can show. */
  readonly shows: Shows
}

export interface GraphqlContext extends Context, Answer {
  readonly loadRelated: LoadRelated
  /** Fields of the root that read from the database: a few at a time, whatever the document asks for. */
  readonly fewAtOnce: <T>(work: () => Promise<T>) => Promise<T>
  /** Arguments that are JSON texts are read with this. */
  readonly readText: ReadText
  /** The caller's budget is spent: utilities say so in their own errors. Nothing else runs then. */
  readonly overBudget?: Charge
  /** The request came with an Idempotency-Key. */
  readonly nextOnce?: () => Once
  /** On a stream: ends the connection of a client that does not read. */
  readonly hangUp?: () => void
}

/** The context with more in it. Not by spreading: that would read `em`, which opens one, and many answers need none. */
export const extended = <C extends Context, Parts extends object>(context: C, parts: Parts): C & Parts =>
  Object.freeze(Object.create(context, Object.getOwnPropertyDescriptors(parts)))

/** The keys of a request's writes in the order in which they run, one after the other: the first has the request's own. */
export function eachOnce({ key, request }: Once): () => Once {
  let count = 0
  return () => {
    count += 1
    return { request, key: count === 1 ? key : hash('sha256', `${key}\n${count}`, 'hex') }
  }
}

/** For a write that honours an Idempotency-Key. */
export const atMostOnce = (context: GraphqlContext): GraphqlContext =>
  context.nextOnce === undefined ? context : extended(context, { once: context.nextOnce() })

/** So many fields of one request's root read at once: fewer than there are connections, and one while others are here. */
const ROOT_FIELDS_AT_ONCE = 2

/** One per request. */
export function limitRootFields({ breathe, isCrowded }: Context): GraphqlContext['fewAtOnce'] {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= (isCrowded() ? 1 : ROOT_FIELDS_AT_ONCE))
      await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      const rest = breathe()
      if (rest !== undefined) await rest
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** Root fields run side by side; each has an entity manager of its own, so that none sees another's rows. */
export const apart = <C extends Context>(context: C): C => {
  let own: EntityManager | undefined
  return extended(context, {
    get em() {
      own ??= context.em.fork()
      return own
    },
  })
}
