// The reusable parts of the document: each is put once under its name, and referred to from wherever it is used.

/** Any node of the document; its shape is OpenAPI's business, and the tests'. */
export type Node = Readonly<Record<string, unknown>>

export type Section = 'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'examples'

export interface Reference extends Node {
  readonly $ref: string
}

export interface Components {
  /** Keeps the part and answers the reference to it. @throws when the name holds another part already */
  readonly put: (section: Section, name: string, part: Node) => Reference
  /** Everything that was put, sections and names in order. */
  readonly all: () => Node
}

export function collectComponents(): Components {
  const sections = new Map<Section, Map<string, Node>>()
  return Object.freeze({
    put: (section: Section, name: string, part: Node) => {
      const parts = sections.get(section) ?? new Map<string, Node>()
      sections.set(section, parts)
      const known = parts.get(name)
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part))
        throw new Error(`Two different ${section} are called ${name}.`)
      parts.set(name, part)
      return { $ref: `#/components/${section}/${name}` }
    },
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

/** `entropy_observation` and `latestBeacon` as the name of a component: `EntropyObservation`, `LatestBeacon`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase())
