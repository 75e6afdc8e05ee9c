// The reusable parts of the document. Each part is stored once under its name and referred to everywhere else.
import type { Ceilings } from '../../kernel/ceilings.ts'
import { nameObjects } from './name_objects.ts'
import type { Node, Reference } from './node.ts'

export type Section = 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'examples'

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
