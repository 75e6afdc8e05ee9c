// Writes a row as the JSON of a record. The names of its members are spelled once for all rows.
import type { PublishedResource } from '../../catalog/catalog.ts'
import type { Context } from '../../catalog/context.ts'
import { JsonText } from '../../kernel/json_text.ts'

/** @param linkage the JSON of the `data` of relationships, by name; those that were not followed are absent */
export type WriteRecord = (row: object, context: Context, linkage?: ReadonlyMap<string, string>) => string

/** A relationship that the request does not include. */
const UNLOADED = '{"links":{},"meta":{}}'

/** @param shows the names of the fields and relationships to write, in the order of the resource; all by default */
export function recordWriter(
  { type, id, idOf, fields, relationships, show }: PublishedResource,
  shows: { readonly fields: readonly string[]; readonly relationships: readonly string[] },
): WriteRecord {
  const members = shows.fields.map((name) => {
    const kind = fields[name]?.kind
    return { name, start: `${JSON.stringify(name)}:`, isPlain: kind?.isPlain === true && !kind.isList }
  })
  const related = shows.relationships.filter((name) => Object.hasOwn(relationships, name))
  const unloaded = `{${related.map((name) => `${JSON.stringify(name)}:${UNLOADED}`).join(',')}}`
  const head = `{"type":${JSON.stringify(type)},"id":`
  return (row, context, linkage) => {
    const values = show(row, context)
    let text = ''
    for (const { name, start, isPlain } of members) {
      const value = values[name]
      // Withheld from this caller.
      if (value === undefined) continue
      text += text === '' ? start : `,${start}`
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
