// Collects the records of a document: the rows and everything the include paths lead to, each record once. Determines how
// many of them fit into the answer.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import type { ListCollaborators } from '../../catalog/perform.ts'
import { loadRelated } from '../../contract/load_related.ts'
import type { Room } from '../../contract/row_columns.ts'
import { JsonText } from '../../kernel/json_text.ts'
import { kept } from '../../kernel/lru.ts'
import { type Shape, showsOf } from './read_query.ts'

/** @param linkage the JSON of the `data` of relationships, by name; those that were not followed are absent */
type WriteRecord = (row: object, context: Context, linkage?: ReadonlyMap<string, string>) => string

/** A relationship that the request does not include. */
const UNLOADED = '{"links":{},"meta":{}}'

/** @param shows the fields and the names of the relationships to write, in the order of the resource */
function recordWriter(
  { type, id, idOf, relationships }: PublishedResource,
  shows: { readonly fields: PublishedResource['shown']; readonly relationships: readonly string[] },
): WriteRecord {
  const members = shows.fields.map(({ name, kind, show }) => ({
    first: `${JSON.stringify(name)}:`,
    next: `,${JSON.stringify(name)}:`,
    isPlain: kind.isPlain && !kind.isList,
    show,
  }))
  const related = shows.relationships.filter((name) => Object.hasOwn(relationships, name))
  const unloaded = `{${related.map((name) => `${JSON.stringify(name)}:${UNLOADED}`).join(',')}}`
  const head = `{"type":${JSON.stringify(type)},"id":`
  return (row, context, linkage) => {
    let text = ''
    for (const { first, next, isPlain, show } of members) {
      const value = show(row, context)
      // Withheld from this caller.
      if (value === undefined) continue
      text += text === '' ? first : next
      if (isPlain && typeof value === 'string') text += `"${value}"`
      else text += value instanceof JsonText ? value.text : JSON.stringify(value)
    }
    const links = linkage === undefined ? unloaded : relationshipsText(related, linkage)
    const ownId = id.isPlain ? `"${idOf(row)}"` : JSON.stringify(idOf(row))
    return `${head}${ownId},"attributes":{${text}},"relationships":${links},"links":{},"meta":{}}`
  }
}

const relationshipsText = (names: readonly string[], linkage: ReadonlyMap<string, string>): string => {
  const members = names.map((name) => {
    const data = linkage.get(name)
    return `${JSON.stringify(name)}:${data === undefined ? UNLOADED : `{"links":{},"meta":{},"data":${data}}`}`
  })
  return `{${members.join(',')}}`
}

export interface Gathering extends ListCollaborators {
  readonly shape: Shape
  /** The space left in the answer. Reading records reduces it. */
  readonly room: Room
}

/** A record to be shown, with the records that its include paths lead to. */
interface ShownRecord {
  readonly row: object
  readonly write: WriteRecord
  leadsTo: readonly ShownRecord[]
  /** See `WriteRecord`. */
  linkage?: Map<string, string>
  /** True when some of its included records were not read because the room was full. */
  isIncomplete: boolean
  /** Its JSON, once it is part of the document. */
  text?: string
}

const NOTHING: readonly ShownRecord[] = Object.freeze([])

/** The records collected so far, by their identifiers. */
export type Records = Map<string, ShownRecord>

/**
 * Returns one record per row, in the order of the rows. @param all every record of the
 * document; new records are added
 */
export async function gatherRecords(gathering: Gathering, rows: readonly object[], all: Records) {
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
): Promise<ShownRecord[]> {
  await resource.prepare(rows, context)
  const write = writerOf(resource, shape)
  const showOne = (row: object): ShownRecord => {
    const shown: ShownRecord = { row, write, leadsTo: NOTHING, isIncomplete: false }
    // Without includes no record is met twice.
    if (shape.includes.length === 0) return shown
    const identifier = identifierOf(resource, row)
    const known = all.get(identifier)
    if (known !== undefined) return known
    all.set(identifier, shown)
    return shown
  }
  return rows.map(showOne)
}

/** As JSON. */
const identifierOf = ({ type, idOf }: PublishedResource, row: object): string =>
  `{"type":"${type}","id":${JSON.stringify(idOf(row))}}`

/** Writers of all that is shown by default. */
const WRITERS = new WeakMap<PublishedResource, WriteRecord>()

function writerOf(resource: PublishedResource, shape: Shape): WriteRecord {
  const wanted = shape.fields.get(resource.type)
  const shows = showsOf(resource, shape)
  const make = () =>
    recordWriter(resource, {
      fields: resource.shown.filter(({ name }) => shows(name)),
      relationships: Object.keys(resource.relationships).filter((name) => wanted?.has(name) ?? true),
    })
  return wanted === undefined ? kept(WRITERS, resource, make) : make()
}

/** Every included record is linked from a record that the path passes through (full linkage). */
async function include(
  gathering: Gathering,
  resource: PublishedResource,
  rows: readonly object[],
  shown: readonly ShownRecord[],
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
      { source: resource, relationship, context, related, shows: showsOf(target, shape), room },
      rows.map((row) => resource.idOf(row)),
    )
    const missing = new Set(found.missing)
    const unique = new Map([...found.rows.values()].flat().map((row) => [target.idOf(row), row]))
    const members = await show(gathering, target, [...unique.values()], all)
    const byId = new Map(members.map((member) => [target.idOf(member.row), member]))
    const wanted = shape.fields.get(resource.type)
    for (const one of shown) {
      const id = resource.idOf(one.row)
      const linked = (found.rows.get(id) ?? []).flatMap((row) => byId.get(target.idOf(row)) ?? [])
      if (linked.length > 0) one.leadsTo = [...one.leadsTo, ...linked]
      if (missing.has(id)) one.isIncomplete = true
      // `fields` may leave this linkage out. JSON:API allows an unlinked included record only in this case.
      if (wanted !== undefined && !wanted.has(name)) continue
      const identifiers = linked.map(({ row }) => identifierOf(target, row))
      one.linkage ??= new Map()
      one.linkage.set(name, relationship.many ? `[${identifiers.join(',')}]` : (identifiers[0] ?? 'null'))
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

export function openFitting(context: Context, room: Readonly<Room>) {
  const taken = new Set<ShownRecord>()
  const written: ShownRecord[] = []
  let { bytes, rows } = room

  /**
   * Takes the records in order until one does not fit, and returns how many it took. After
   * that, no further record fits.
   */
  const take = async (records: readonly ShownRecord[]): Promise<number> => {
    let count = 0
    for (const record of records) {
      const fresh = unwritten(record)
      if (fresh === undefined) return count
      const texts: string[] = []
      let size = 0
      for (const { row, linkage, write } of fresh) {
        const text = write(row, context, linkage)
        texts.push(text)
        // A comma follows each of them.
        size += Buffer.byteLength(text) + 1
        if (size > bytes) return count
        const pause = context.yieldToEventLoop()
        if (pause !== undefined) await pause
      }
      const related = fresh.length - (record.text === undefined ? 1 : 0)
      if (related > rows) return count
      bytes -= size
      rows -= related
      for (const [index, one] of fresh.entries()) {
        one.text = texts[index] ?? ''
        written.push(one)
      }
      taken.add(record)
      count += 1
    }
    return count
  }

  return Object.freeze({
    take,
    left: (): Room => ({ bytes, rows }),
    /** The JSON of the taken records, and of the records they include, in order. */
    texts: () => ({
      data: [...taken].map(textOf),
      included: written.length === taken.size ? [] : written.filter((one) => !taken.has(one)).map(textOf),
    }),
  })
}

const textOf = ({ text = '' }: ShownRecord): string => text

/**
 * Returns the record and all records it includes that are not yet written. Undefined when some of them were not read.
 */
function unwritten(record: ShownRecord): readonly ShownRecord[] | undefined {
  if (record.leadsTo.length === 0 && !record.isIncomplete) return record.text === undefined ? [record] : []
  const found = new Set([record])
  for (const one of found) {
    if (one.isIncomplete) return undefined
    for (const next of one.leadsTo) if (next.text === undefined) found.add(next)
  }
  return [...found].filter(({ text }) => text === undefined)
}
