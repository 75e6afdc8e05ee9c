// Loads related rows in batches: all requests made before the event loop continues become one query.

import type { Catalog, PublishedResource } from '../../../catalog/catalog.ts'
import type { Context } from '../../../catalog/context.ts'
import { apart } from '../../../catalog/open_context.ts'
import { loadRelated } from '../../../contract/load_related.ts'
import { responseTooLarge } from '../../../contract/row_columns.ts'
import type { Answer, LoadRelated, ShownRow } from './graphql_context.ts'

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
