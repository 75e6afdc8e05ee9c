// Fields of `pharos api` as one JSON object: `data[attributes][tags][]=paid` is a member of a member.
import { Complaint } from '../../../shared/cli/terminal.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  setMember,
} from '../../../shared/proof/json_value.ts'
import { readNamed } from '../files.ts'

/** @throws Complaint without a name */
export function pairOf(field: string): [name: string, value: string] {
  const at = field.indexOf('=')
  if (at < 1) throw new Complaint(`${field} is no field.`, { advice: 'Such as --field name=value' })
  return [field.slice(0, at), field.slice(at + 1)]
}

/**
 * @param given `fields` are values that JSON has where they look like one, `raw` are texts
 * @throws Complaint for a name that has no place
 */
export async function bodyOfFields({
  fields,
  raw,
}: {
  readonly fields: readonly string[]
  readonly raw: readonly string[]
}): Promise<JsonObject> {
  const body: JsonObject = {}
  for (const [name, text] of fields.map(pairOf)) put(body, name, await readValue(text))
  for (const [name, text] of raw.map(pairOf)) put(body, name, text)
  return body
}

const LARGEST_VALUE_BYTES = 16_777_216

async function readValue(text: string): Promise<JsonValue> {
  if (text.startsWith('@')) return Buffer.from(await readNamed(text.slice(1), LARGEST_VALUE_BYTES)).toString()
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return text
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

const NAME = /^[^[\]]+(?:\[[^[\]]+\])*(?:\[\])?$/

/** The last member of a path that ends with `[]` is a list, and gets one more. */
function put(body: JsonObject, name: string, value: JsonValue): void {
  if (!NAME.test(name))
    throw new Complaint(`${name} is no name of a field.`, { advice: "Such as 'data[attributes][tags][]'" })
  const isListed = name.endsWith('[]')
  const path = name.split(/[[\]]+/).filter((part) => part !== '')
  const last = path.pop() ?? name
  let at = body
  for (const part of path) at = childOf(at, part, name)
  const before = memberOf(at, last)
  if (!isListed) {
    if (before !== undefined) throw new Complaint(`${name} is there twice, or is two things at once.`)
    setMember(at, last, value)
    return
  }
  if (before !== undefined && !Array.isArray(before))
    throw new Complaint(`${name} is there as something else already.`)
  setMember(at, last, [...(before ?? []), value])
}

function childOf(parent: JsonObject, part: string, name: string): JsonObject {
  const child = memberOf(parent, part) ?? {}
  if (!isJsonObject(child)) throw new Complaint(`${name} is there as something else already.`)
  setMember(parent, part, child)
  return child
}
