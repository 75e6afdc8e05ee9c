// The reusable parts of the document. Each part, and each object inside a schema, is stored once under its name and
// referred to everywhere else, because generators invent names for the others.
import { type Kind, orNull } from '../../contract/kinds/kind.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { componentName, type Node, type Reference } from './node.ts'

/** Stores a schema under its name and returns a reference to it. */
type Keep = (name: string, schema: Node) => Reference

/**
 * Returns the schema with references in place of inner object schemas and titled closed sets. These become components
 * named by their `title`, or else by their place (`Problem` and its `source` make `ProblemSource`). Conditions (`if`,
 * `then`, `else`) describe no value of their own and stay in place.
 * @throws for an object among alternatives that has no title, because its place gives it no name
 */
function nameObjects(keep: Keep, owner: string, schema: Node): Node {
  const named: Record<string, unknown> = {
    ...schema,
    ...(isOpen(schema) ? { additionalProperties: true } : {}),
  }
  if (isNode(schema.properties))
    named.properties = mapped(schema.properties, (name, one) =>
      placed(keep, `${owner}${componentName(name)}`, one),
    )
  if (isNode(schema.items)) named.items = placed(keep, `${owner}Entry`, schema.items)
  if (isNode(schema.additionalProperties))
    named.additionalProperties = placed(keep, `${owner}Value`, schema.additionalProperties)
  for (const alternatives of ['anyOf', 'oneOf'] as const) {
    const members = schema[alternatives]
    if (Array.isArray(members))
      named[alternatives] = members.map((one: Node) => {
        if (isObject(one) && one.title === undefined)
          throw new Error(`An alternative of the schema ${owner} has no title.`)
        return placed(keep, owner, one)
      })
  }
  return named
}

/**
 * Returns the replacement of a schema that may be an object. Other keywords of the place stay beside the reference.
 */
function placed(keep: Keep, place: string, schema: Node): Node {
  if ('$ref' in schema) return schema
  const { title, ...untitled } = schema
  if (typeof title === 'string' && Array.isArray(untitled.enum)) return keep(title, untitled)
  if (!isObject(untitled)) return nameObjects(keep, place, untitled)
  const name = typeof title === 'string' ? title : place
  const { description, type, ...rest } = untitled
  const beside = description === undefined ? {} : { description }
  const own = typeof title === 'string' ? {} : beside
  const others = (Array.isArray(type) ? type : []).filter((one) => one !== 'object')
  const object = keep(name, {
    type: 'object',
    ...own,
    ...without(rest, others.includes('string') ? TEXT : []),
  })
  if (others.length === 0) return { ...object, ...beside }
  const kinds = others.map((one) => (one === 'string' ? { type: one, ...only(rest, TEXT) } : { type: one }))
  return { anyOf: [object, ...kinds], ...beside }
}

/** Keywords that apply only to texts. */
const TEXT: readonly string[] = ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding']

const only = (schema: Node, names: readonly string[]): Node =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)))

const without = (schema: Node, names: readonly string[]): Node =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Stated explicitly, because some generators treat an object without `additionalProperties` as one without members.
 */
const isOpen = (schema: Node): boolean =>
  isObject(schema) && schema.properties === undefined && schema.additionalProperties === undefined

const isObject = ({ type }: Node): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

const mapped = (nodes: Node, change: (name: string, one: Node) => Node): Node =>
  Object.fromEntries(
    Object.entries(nodes).map(([name, one]) => [name, isNode(one) ? change(name, one) : one]),
  )

type Section = 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'examples'

/** The configured numbers that schemas and texts of the document mention. */
export type StatedCeilings = Ceilings & { readonly body_bytes: number }

export interface Components {
  readonly ceilings: StatedCeilings
  /**
   * Stores the part and returns a reference to it. Objects inside a schema become schemas of their own.
   * @throws when the name already belongs to a different part
   */
  readonly put: (section: Section, name: string, part: Node) => Reference
  /** Returns every stored part, with sections and names in order. */
  readonly all: () => Node
}

export function collectComponents(ceilings: StatedCeilings): Components {
  const sections = new Map<Section, Map<string, Node>>()
  const keep = (section: Section, name: string, part: Node): Reference => {
    const parts = sections.get(section) ?? new Map<string, Node>()
    sections.set(section, parts)
    const known = parts.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part))
      throw new Error(`Two different ${section} are called ${name}.`)
    parts.set(name, part)
    return { $ref: `#/components/${section}/${name}` }
  }
  const keepSchema = (name: string, schema: Node): Reference =>
    keep('schemas', name, nameObjects(keepSchema, name, schema))
  return Object.freeze({
    ceilings,
    put: (section: Section, name: string, part: Node) =>
      section === 'schemas' ? keepSchema(name, part) : keep(section, name, part),
    all: () =>
      Object.fromEntries(
        [...sections]
          .toSorted(byName)
          .map(([section, parts]) => [section, Object.fromEntries([...parts].toSorted(byName))]),
      ),
  })
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/**
 * Returns e.g. `Hex64`, or `NullableHex64` when null is allowed.
 * @param owner the prefix of an enumeration's name, as in `ItemState`
 */
export function kindSchema(
  components: Components,
  kind: Kind,
  { nullable = false, owner }: { readonly nullable?: boolean; readonly owner: string },
): Node {
  const name = kind.values === undefined ? kind.named.schema : owner
  // Client generators keep one type for an object only if null is a separate alternative.
  if (name !== undefined && nullable && kind.schema.type === 'object')
    return { anyOf: [components.put('schemas', name, kind.schema), { type: 'null' }] }
  const schema = nullable ? orNull(kind.schema) : kind.schema
  if (name === undefined) return schema
  return components.put('schemas', nullable ? `Nullable${name}` : name, schema)
}
