// Creates the GraphQL context of one request. It loads related rows in batches, and no columns behind fields that the
// document does not name.
import { type DocumentNode, visit } from 'graphql'
import type { Catalog, PublishedResource } from '../../../catalog/catalog.ts'
import { apart, type Context, extended } from '../../../catalog/context.ts'
import { loadRelated } from '../../../contract/load_related.ts'
import { responseTooLarge, roomOf, type Shows } from '../../../contract/row_columns.ts'
import {
  type Answer,
  type GraphqlContext,
  type LoadRelated,
  limitRootFields,
  type ShownRow,
} from './graphql_context.ts'
import { snakeCase } from './names.ts'
import { readEachOnce } from './scalars.ts'

const known = new WeakMap<DocumentNode, Shows>()

/** Returns true for each field name that occurs anywhere in the document. The result is cached per document. */
function shownFields(document: DocumentNode): Shows {
  let shows = known.get(document)
  if (shows === undefined) {
    const names = new Set<string>()
    visit(document, { Field: ({ name }) => void names.add(snakeCase(name.value)) })
    shows = (field) => names.has(field)
    known.set(document, shows)
  }
  return shows
}

interface Batch {
  readonly ids: Set<string>
  readonly answer: Promise<ReadonlyMap<string, readonly ShownRow[]>>
}

/**
 * Create one per request. It caches nothing beyond a batch, so the answer of a mutation shows the state after it.
 */
export function relatedLoader(
  { related }: Pick<Catalog, 'related'>,
  context: Context,
  { room, shows }: Answer,
): LoadRelated {
  const gathering = new Map<string, Batch>()

  const read = async (source: PublishedResource, name: string, most: number, ids: ReadonlySet<string>) => {
    const relationship = source.relationships[name]
    if (relationship === undefined) throw new Error(`${source.type} has no relationship ${name}.`)
    const own = apart(context)
    const target = related(relationship.target)
    const { rows: found, missing } = await loadRelated(
      { em: own.em, expensively: own.expensively, related, room: room(), shows },
      { source, relationship, context: own },
      [...ids],
      most,
    )
    if (missing.length > 0) throw responseTooLarge(own.services.ceilings)
    const unique = new Map([...found.values()].flat().map((row) => [target.idOf(row), row]))
    await target.prepare([...unique.values()], own)
    return new Map(
      [...found].map(([id, rows]) => [
        id,
        rows.map((row) => ({
          resource: target,
          // One row may be related to many rows. All of them use the copy that `prepare` has completed.
          row: unique.get(target.idOf(row)) ?? row,
          context: own,
        })),
      ]),
    )
  }

  return async (source, name, id, most) => {
    const key = `${source.type} ${name} ${most}`
    let batch = gathering.get(key)
    if (batch === undefined) {
      const ids = new Set<string>()
      const answer = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        gathering.delete(key)
        return read(source, name, most, ids)
      })
      batch = { ids, answer }
      gathering.set(key, batch)
    }
    batch.ids.add(id)
    return (await batch.answer).get(id) ?? []
  }
}

type Parts = Partial<Pick<GraphqlContext, 'overBudget' | 'nextOnce' | 'hangUp' | 'readText'>>

/** The context of a query or mutation, which has one answer. */
export function requestContext(
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  document: DocumentNode,
  parts: Parts,
): GraphqlContext {
  const room = roomOf(context.services.ceilings)
  return withAnswer(catalog, context, { room: () => room, shows: shownFields(document) }, parts)
}

/** The context of a subscription, which may last for days. Each event gets the room and the time of one answer. */
export function subscriptionContext(
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  document: DocumentNode,
  parts: Parts,
): GraphqlContext {
  const { services, caller } = context
  const lasting = extended(context, {
    expensively: <T>(work: Parameters<typeof context.expensively<T>>[0]) =>
      services.expensiveReads(caller.userId)(work),
  })
  const answer = { room: () => roomOf(services.ceilings), shows: shownFields(document) }
  return withAnswer(catalog, lasting, answer, parts)
}

const withAnswer = (
  catalog: Pick<Catalog, 'related'>,
  context: Context,
  answer: Answer,
  parts: Parts,
): GraphqlContext =>
  extended(context, {
    ...answer,
    ...parts,
    readText: parts.readText ?? readEachOnce(),
    fewAtOnce: limitRootFields(context),
    loadRelated: relatedLoader(catalog, context, answer),
  })
