// JSON Schema 2020-12 as far as our document uses it: what a value does not satisfy, place by place. A keyword that is
// not known here fails, so that no rule of the document goes unchecked.

export type Schema = Readonly<Record<string, unknown>>

export interface Checker {
  /** Finds what a `$ref` names. */
  readonly resolve: (reference: string) => Schema
  /** Refuses members that no schema names, though the document leaves objects open for additions. */
  readonly closed: boolean
}

/** One line per violation: `/data/0/id: is no uuid`. */
export function violations(checker: Checker, schema: Schema, value: unknown, at = ''): string[] {
  return check({ ...checker, outer: true }, schema, value, at)
}

interface Checking extends Checker {
  /** False within `allOf` and the like, where the schema around knows more members. */
  readonly outer: boolean
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const asSchema = (value: unknown): Schema => {
  if (!isRecord(value)) throw new Error(`No schema: ${JSON.stringify(value)}`)
  return value
}

const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.map(asSchema) : [])

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function check(checking: Checking, schema: Schema, value: unknown, at: string): string[] {
  const found: string[] = []
  const inner: Checking = { ...checking, outer: false }
  for (const [keyword, rule] of Object.entries(schema)) {
    const judge = KEYWORDS[keyword]
    if (judge === undefined) throw new Error(`The keyword ${keyword} is not known to this checker.`)
    found.push(...judge({ checking, inner, schema, value, at }, rule))
  }
  if (checking.closed && checking.outer && isRecord(value)) {
    const known = membersOf(checking, schema, value)
    if (known !== undefined)
      for (const name of Object.keys(value))
        if (!known.has(name)) found.push(`${at}/${name}: is not documented`)
  }
  return found
}

interface Place {
  readonly checking: Checking
  readonly inner: Checking
  readonly schema: Schema
  readonly value: unknown
  readonly at: string
}

type Judge = (place: Place, rule: unknown) => string[]

const nothing: Judge = () => []

/** Judges only values of one type; the others are `type`'s business. */
const when =
  <T>(is: (value: unknown) => value is T, holds: (value: T, rule: unknown) => boolean): Judge =>
  ({ value, at }, rule) =>
    !is(value) || holds(value, rule) ? [] : [`${at}: breaks ${JSON.stringify(rule)}`]

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number'
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

const matching = ({ inner, value, at }: Place, branches: unknown): number => {
  const own = { ...inner, outer: true }
  return schemasIn(branches).filter((branch) => check(own, branch, value, at).length === 0).length
}

const KEYWORDS: Readonly<Record<string, Judge>> = {
  $ref: ({ checking, value, at }, rule) => check(checking, checking.resolve(String(rule)), value, at),
  description: nothing,
  title: nothing,
  'x-max-bytes': ({ value, at }, rule) =>
    typeof value === 'object' && Buffer.byteLength(JSON.stringify(value)) > Number(rule)
      ? [`${at}: has more than ${String(rule)} bytes`]
      : [],
  writeOnly: nothing,
  default: nothing,
  examples: nothing,
  example: nothing,
  contentEncoding: when(isText, (text) => /^[A-Za-z0-9+/]*={0,2}$/.test(text)),
  type: ({ value, at }, rule) =>
    (Array.isArray(rule) ? rule : [rule]).some((type) => isOfType(value, type))
      ? []
      : [`${at}: is no ${String(rule)}`],
  const: ({ value, at }, rule) => (value === rule ? [] : [`${at}: is not ${String(rule)}`]),
  enum: ({ value, at }, rule) =>
    Array.isArray(rule) && rule.includes(value) ? [] : [`${at}: ${String(value)} is none of ${String(rule)}`],
  format: when(isText, (text, rule) => FORMATS[String(rule)]?.(text) ?? false),
  pattern: when(isText, (text, rule) => new RegExp(String(rule), 'u').test(text)),
  minLength: when(isText, (text, rule) => [...text].length >= Number(rule)),
  maxLength: when(isText, (text, rule) => [...text].length <= Number(rule)),
  minimum: when(isNumber, (number, rule) => number >= Number(rule)),
  maximum: when(isNumber, (number, rule) => number <= Number(rule)),
  minItems: when(isList, (list, rule) => list.length >= Number(rule)),
  maxItems: when(isList, (list, rule) => list.length <= Number(rule)),
  uniqueItems: when(isList, (list) => new Set(list.map((one) => JSON.stringify(one))).size === list.length),
  minProperties: when(isRecord, (object, rule) => Object.keys(object).length >= Number(rule)),
  propertyNames: ({ checking, value, at }, rule) =>
    isRecord(value)
      ? Object.keys(value).flatMap((name) => check(checking, asSchema(rule), name, `${at}/${name}`))
      : [],
  maxProperties: when(isRecord, (object, rule) => Object.keys(object).length <= Number(rule)),
  items: ({ checking, value, at }, rule) =>
    isList(value)
      ? value.flatMap((one, index) =>
          check({ ...checking, outer: true }, asSchema(rule), one, `${at}/${index}`),
        )
      : [],
  properties: ({ checking, value, at }, rule) =>
    isRecord(value)
      ? Object.entries(asSchema(rule)).flatMap(([name, one]) =>
          Object.hasOwn(value, name)
            ? check({ ...checking, outer: true }, asSchema(one), value[name], `${at}/${name}`)
            : [],
        )
      : [],
  required: ({ value, at }, rule) =>
    isRecord(value)
      ? textsIn(rule).flatMap((name) => (Object.hasOwn(value, name) ? [] : [`${at}/${name}: is missing`]))
      : [],
  additionalProperties: ({ checking, schema, value, at }, rule) =>
    isRecord(value) && rule !== true
      ? Object.entries(value).flatMap(([name, one]) => {
          if (Object.hasOwn(asSchema(schema.properties ?? {}), name)) return []
          const place = `${at}/${name}`
          return rule === false
            ? [`${place}: is not accepted`]
            : check({ ...checking, outer: true }, asSchema(rule), one, place)
        })
      : [],
  dependentRequired: ({ value, at }, rule) =>
    isRecord(value)
      ? Object.entries(asSchema(rule)).flatMap(([name, others]) =>
          Object.hasOwn(value, name)
            ? textsIn(others).flatMap((one) =>
                Object.hasOwn(value, one) ? [] : [`${at}/${one}: is missing beside ${name}`],
              )
            : [],
        )
      : [],
  allOf: ({ inner, value, at }, rule) => schemasIn(rule).flatMap((one) => check(inner, one, value, at)),
  anyOf: (place, rule) => (branch(place, rule) > 0 ? [] : [`${place.at}: fits none of the alternatives`]),
  oneOf: (place, rule) => {
    const fitting = matching(place, rule)
    return fitting === 1 ? [] : [`${place.at}: fits ${fitting} of the alternatives`]
  },
  if: ({ inner, schema, value, at }, rule) => {
    const holds = check({ ...inner, closed: false }, asSchema(rule), value, at).length === 0
    const consequence = holds ? schema.then : schema.else
    return consequence === undefined
      ? []
      : check({ ...inner, closed: false }, asSchema(consequence), value, at)
  },
  // biome-ignore lint/suspicious/noThenProperty: judged with `if`
  then: nothing,
  else: nothing,
}

/** Alternatives that stand beside `properties` add rules to them; those that stand alone are whole schemas. */
const branch = (place: Place, rule: unknown): number =>
  place.schema.properties === undefined
    ? matching(place, rule)
    : schemasIn(rule).filter(
        (one) => check({ ...place.inner, closed: false }, one, place.value, place.at).length === 0,
      ).length

/** The member names that a schema knows for this value; undefined when it says nothing about members. */
function membersOf(checking: Checking, schema: Schema, value: unknown): Set<string> | undefined {
  const parts: (Set<string> | undefined)[] = [
    isRecord(schema.properties) ? new Set(Object.keys(schema.properties)) : undefined,
    isText(schema.$ref) ? membersOf(checking, checking.resolve(schema.$ref), value) : undefined,
    ...schemasIn(schema.allOf).map((one) => membersOf(checking, one, value)),
  ]
  const known = parts.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : new Set(known.flatMap((one) => [...one]))
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
  uri: (text) => URL.canParse(text),
  'date-time': (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
}
