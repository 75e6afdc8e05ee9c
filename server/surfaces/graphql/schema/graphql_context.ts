// The context of resolvers: the catalog's context plus the parts that GraphQL adds. It loads related rows in batches, and
// no columns behind fields that the document does not name.
import { hash } from 'node:crypto'
import { type DocumentNode, visit } from 'graphql'
import type { Catalog, PublishedResource } from '../../../catalog/catalog.ts'
import type { Context, Once } from '../../../catalog/context.ts'
import { loadRelated } from '../../../contract/load_related.ts'
import { type Room, responseTooLarge, roomOf, type Shows } from '../../../contract/row_columns.ts'
import type { Charge } from '../../../domain/limits/charge.ts'
import { lanes } from '../../../kernel/flow/side_by_side.ts'
import { kept } from '../../../kernel/lru.ts'
import { snakeCase } from './names.ts'
import { type ReadText, readEachOnce } from './scalars.ts'

/** The answer being prepared. */
interface Answer {
  /** The space left in the answer. In a subscription, each event is one answer. */
  readonly room: () => Room
  /** Which fields it can show. */
  readonly shows: Shows
}

export interface GraphqlContext extends Context, Answer {
  readonly loadRelated: ReturnType<typeof relatedLoader>
  /** Runs work of root fields that read from the database, a few at a time. */
  readonly fewAtOnce: ReturnType<typeof lanes>
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
  context.nextOnce === undefined ? context : { ...context, once: context.nextOnce() }

/**
 * Root fields of one request that read at the same time. It is less than the number of connections; while other
 * callers are active, only one reads.
 */
const ROOT_FIELDS_AT_ONCE = 2

const known = new WeakMap<DocumentNode, Shows>()

/** Returns true for each field name that occurs anywhere in the document. The result is cached per document. */
const shownFields = (document: DocumentNode): Shows =>
  kept(known, document, () => {
    const names = new Set<string>()
    visit(document, { Field: ({ name }) => void names.add(snakeCase(name.value)) })
    return (field) => names.has(field)
  })

interface Batch {
  readonly ids: Set<string>
  readonly answer: Promise<ReadonlyMap<string, readonly object[]>>
}

/**
 * Create one per request. It caches nothing beyond a batch, so the answer of a mutation shows the state after it.
 */
export function relatedLoader(
  { related }: Pick<Catalog, 'related'>,
  context: Context,
  { room, shows }: Answer,
) {
  const gathering = new Map<string, Batch>()

  const read = async (source: PublishedResource, name: string, most: number, ids: ReadonlySet<string>) => {
    const relationship = source.relationships[name]
    if (relationship === undefined) throw new Error(`${source.type} has no relationship ${name}.`)
    const target = related(relationship.target)
    const { rows: found, missing } = await loadRelated(
      { source, relationship, context, related, shows, room: room() },
      [...ids],
      most,
    )
    if (missing.length > 0) throw responseTooLarge(context.services.ceilings)
    const unique = new Map([...found.values()].flat().map((row) => [target.idOf(row), row]))
    await target.prepare([...unique.values()], context)
    // One row may be related to many rows. All of them use the copy that `prepare` has completed.
    const prepared = (row: object): object => unique.get(target.idOf(row)) ?? row
    return new Map([...found].map(([id, rows]) => [id, rows.map(prepared)]))
  }

  /**
   * Loads the related rows of one row that the caller may read. Calls made before the event loop continues share one
   * query.
   */
  return async (
    source: PublishedResource,
    name: string,
    id: string,
    most: number,
  ): Promise<readonly object[]> => {
    const key = `${source.type} ${name} ${most}`
    const batch = kept<string, Batch>(gathering, key, () => {
      const ids = new Set<string>()
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        gathering.delete(key)
        return read(source, name, most, ids)
      })
      return { ids, answer }
    })
    batch.ids.add(id)
    return (await batch.answer).get(id) ?? []
  }
}

type Parts = Partial<Pick<GraphqlContext, 'overBudget' | 'nextOnce' | 'hangUp' | 'readText'>>

/** The context of one answer. @param room of an answer, where there are more */
export function requestContext(
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  document: DocumentNode,
  { room, ...parts }: Parts & Partial<Pick<Answer, 'room'>>,
): GraphqlContext {
  const only = roomOf(context.services.ceilings)
  const answer = { room: room ?? (() => only), shows: shownFields(document) }
  return {
    ...context,
    ...answer,
    ...parts,
    readText: parts.readText ?? readEachOnce(),
    fewAtOnce: lanes(ROOT_FIELDS_AT_ONCE, context),
    loadRelated: relatedLoader(catalog, context, answer),
  }
}

/** The context of a subscription, which may last for days. Each event gets the room and the time of one answer. */
export function subscriptionContext(
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  document: DocumentNode,
  parts: Parts,
): GraphqlContext {
  const { services, caller } = context
  const lasting: Context = {
    ...context,
    expensively: (work, how) => services.expensiveReads(caller.userId)(work, how),
  }
  return requestContext(catalog, lasting, document, { ...parts, room: () => roomOf(services.ceilings) })
}
