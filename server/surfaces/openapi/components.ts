// The reusable parts of the document. Each part, and each object inside a schema, is stored once under its name and
// referred to everywhere else, because generators invent names for the others.
import type { Catalog } from '../../catalog/catalog.ts'
import { isSchema } from '../../contract/kind.ts'
import { type TypedMember, valueSchema } from '../../contract/schemas.ts'
import type { Ceilings } from '../../kernel/ceilings.ts'
import { kept } from '../../kernel/lru.ts'

/** Any node. OpenAPI defines its shape, and tests check it. */
export type Node = Readonly<Record<string, unknown>>

export interface Reference extends Node {
  readonly $ref: string
}

export const refTo = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })

/**
 * Converts a name to the name of a component: `entropy_observation` → `EntropyObservation`,
 * `latestBeacon` → `LatestBeacon`.
 */
export const componentName = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

type Section = 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'examples'

/** The configured numbers that schemas and texts of the document mention. */
export type StatedCeilings = Ceilings & { readonly body_bytes: number }

/** Collects the parts of one document, and knows what it describes. */
export class Components {
  readonly catalog: Catalog
  readonly ceilings: StatedCeilings
  readonly #sections = new Map<Section, Map<string, Node>>()

  constructor(catalog: Catalog, ceilings: StatedCeilings) {
    this.catalog = catalog
    this.ceilings = ceilings
  }

  /**
   * Stores the part and returns a reference to it. Objects inside a schema become schemas of their own.
   * @throws when the name already belongs to a different part
   */
  put(section: Section, name: string, given: Node): Reference {
    const part = section === 'schemas' ? nameObjects(this, name, given) : given
    const parts = kept(this.#sections, section, () => new Map<string, Node>())
    const known = parts.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part))
      throw new Error(`Two different ${section} are called ${name}.`)
    parts.set(name, part)
    return { $ref: `#/components/${section}/${name}` }
  }

  /**
   * The schema of a value: a reference to e.g. `Hex64`, or to `NullableHex64` when null is allowed.
   * @param owner the name of an enumeration, as in `ItemState`
   */
  value({ kind, nullable = false }: TypedMember, owner: string): Node {
    const name = kind.values === undefined ? kind.named.schema : owner
    // Client generators keep one type for an object only if null is a separate alternative.
    if (name !== undefined && nullable && kind.schema.type === 'object')
      return { anyOf: [this.put('schemas', name, kind.schema), { type: 'null' }] }
    const schema = valueSchema({ kind, nullable })
    if (name === undefined) return schema
    return this.put('schemas', nullable ? `Nullable${name}` : name, schema)
  }

  /** A body, with its example, which is stored under the name. */
  content(schema: Node, name: string, example: unknown, about: Node = {}): Node {
    return { schema, examples: { typical: this.put('examples', name, { ...about, value: example }) } }
  }

  /** Returns every stored part, with sections and names in order. */
  all(): Node {
    return Object.fromEntries(
      [...this.#sections]
        .toSorted(byName)
        .map(([section, parts]) => [section, Object.fromEntries([...parts].toSorted(byName))]),
    )
  }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0

/**
 * Returns the schema with references in place of inner object schemas and titled closed sets. These become components
 * named by their `title`, or else by their place (`Problem` and its `source` make `ProblemSource`). Conditions (`if`,
 * `then`, `else`) describe no value of their own and stay in place.
 * @throws for an object among alternatives that has no title, because its place gives it no name
 */
function nameObjects(components: Components, owner: string, schema: Node): Node {
  const named: Record<string, unknown> = {
    ...schema,
    ...(isOpen(schema) ? { additionalProperties: true } : {}),
  }
  if (isSchema(schema.properties))
    named.properties = mapped(schema.properties, (name, one) =>
      placed(components, `${owner}${componentName(name)}`, one),
    )
  if (isSchema(schema.items)) named.items = placed(components, `${owner}Entry`, schema.items)
  if (isSchema(schema.additionalProperties))
    named.additionalProperties = placed(components, `${owner}Value`, schema.additionalProperties)
  for (const alternatives of ['anyOf', 'oneOf'] as const) {
    const members = schema[alternatives]
    if (Array.isArray(members))
      named[alternatives] = members.map((one: Node) => {
        if (isObject(one) && one.title === undefined)
          throw new Error(`An alternative of the schema ${owner} has no title.`)
        return placed(components, owner, one)
      })
  }
  return named
}

/**
 * Returns the replacement of a schema that may be an object. Other keywords of the place stay beside the reference.
 */
function placed(components: Components, place: string, schema: Node): Node {
  if ('$ref' in schema) return schema
  const { title, ...untitled } = schema
  if (typeof title === 'string' && Array.isArray(untitled.enum))
    return components.put('schemas', title, untitled)
  if (!isObject(untitled)) return nameObjects(components, place, untitled)
  const name = typeof title === 'string' ? title : place
  const { description, type, ...rest } = untitled
  const beside = description === undefined ? {} : { description }
  const own = typeof title === 'string' ? {} : beside
  const others = (Array.isArray(type) ? type : []).filter((one) => one !== 'object')
  const object = components.put('schemas', name, {
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

/**
 * Stated explicitly, because some generators treat an object without `additionalProperties` as one without members.
 */
const isOpen = (schema: Node): boolean =>
  isObject(schema) && schema.properties === undefined && schema.additionalProperties === undefined

const isObject = ({ type }: Node): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

const mapped = (nodes: Node, change: (name: string, one: Node) => Node): Node =>
  Object.fromEntries(
    Object.entries(nodes).map(([name, one]) => [name, isSchema(one) ? change(name, one) : one]),
  )
