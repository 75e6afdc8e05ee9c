// Collects the records of a document: the rows and everything the include paths lead to, each record once.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import { loadRelated, type Related } from '../../contract/load_related.ts'
import type { Room } from '../../contract/row_columns.ts'
import { mapInPieces } from '../../kernel/in_pieces.ts'
import { type Shape, showsOf } from './read_query.ts'

export interface Gathering {
  readonly resource: PublishedResource
  readonly context: Context
  readonly related: Related<Context>
  readonly shape: Shape
  /** The space left in the answer. Reading records reduces it. */
  readonly room: Room
}

/** A record as it is shown, with the records that its include paths lead to. */
export interface Shown {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly relationships: Record<string, object>
  readonly leadsTo: Shown[]
  /** True when some of its included records were not read because the room was full. */
  isIncomplete: boolean
}

/** The records collected so far, by type and id. */
export type Records = Map<string, Shown>

/**
 * Returns one record per row, in the order of the rows. @param all every record of the
 * document; new records are added
 */
export async function gatherRecords(
  gathering: Gathering,
  rows: readonly object[],
  all: Records,
): Promise<Shown[]> {
  const { resource, shape } = gathering
  const shown = await show(gathering, resource, rows, all)
  await include(gathering, resource, rows, shown, shape.includes, all)
  return shown
}

async function show(
  { context, shape }: Gathering,
  resource: PublishedResource,
  rows: readonly object[],
  all: Records,
): Promise<Shown[]> {
  await resource.prepare(context.em, rows, context)
  const shows = showsOf(resource, shape)
  const asked = Object.keys(resource.fields).filter(shows)
  const related = Object.keys(resource.relationships).filter(
    (name) => shape.fields.get(resource.type)?.has(name) ?? true,
  )
  const isWhole = asked.length === Object.keys(resource.fields).length
  const showOne = (row: object): Shown => {
    const id = resource.idOf(row)
    const known = all.get(`${resource.type} ${id}`)
    if (known !== undefined) return known
    const values = resource.show(row, context)
    const shown: Shown = {
      type: resource.type,
      id,
      attributes: isWhole ? values : only(asked, values),
      relationships: Object.fromEntries(related.map((name) => [name, UNLOADED])),
      leadsTo: [],
      isIncomplete: false,
    }
    all.set(`${resource.type} ${id}`, shown)
    return shown
  }
  return mapInPieces(rows, showOne, context.breathe)
}

/** A relationship that the request does not include. */
const UNLOADED = Object.freeze({ links: {}, meta: {} })

const only = (names: readonly string[], values: Shown['attributes']): Shown['attributes'] =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])))

/** Every included record is linked from a record that the path passes through (full linkage). */
async function include(
  gathering: Gathering,
  resource: PublishedResource,
  rows: readonly object[],
  shown: readonly Shown[],
  paths: readonly (readonly string[])[],
  all: Records,
): Promise<void> {
  const { context, related, room, shape } = gathering
  const heads = new Set(paths.flatMap(([head]) => (head === undefined ? [] : [head])))
  for (const name of heads) {
    const relationship = resource.relationships[name]
    if (relationship === undefined || rows.length === 0) continue
    const target = related(relationship.target)
    const found = await loadRelated(
      { em: context.em, expensively: context.expensively, related, shows: showsOf(target, shape), room },
      resource,
      name,
      relationship,
      context,
      rows.map((row) => resource.idOf(row)),
    )
    const missing = new Set(found.missing)
    const unique = new Map([...found.rows.values()].flat().map((row) => [target.idOf(row), row]))
    const members = await show(gathering, target, [...unique.values()], all)
    const byId = new Map(members.map((member) => [member.id, member]))
    const wanted = shape.fields.get(resource.type)
    for (const one of shown) {
      const linked = (found.rows.get(one.id) ?? []).flatMap((row) => byId.get(target.idOf(row)) ?? [])
      for (const member of linked) one.leadsTo.push(member)
      if (missing.has(one.id)) one.isIncomplete = true
      // `fields` may leave this linkage out. JSON:API allows an unlinked included record only in this case.
      if (wanted !== undefined && !wanted.has(name)) continue
      const identifiers = linked.map(({ type, id }) => ({ type, id }))
      one.relationships[name] = {
        links: {},
        meta: {},
        data: relationship.many ? identifiers : (identifiers[0] ?? null),
      }
    }
    const rest = paths.filter(([head]) => head === name).map((path) => path.slice(1))
    await include(
      gathering,
      target,
      [...unique.values()],
      members,
      rest.filter(({ length }) => length > 0),
      all,
    )
  }
}
