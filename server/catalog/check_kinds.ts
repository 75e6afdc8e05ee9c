// Finds kinds that share a name and are not alike. Documents describe each name once, for all values of it.
import type { Kind } from '../contract/kinds/kind.ts'
import type { Catalog, PublishedAction, PublishedOperation } from './catalog.ts'

type Placed = readonly [place: string, kind: Kind]

/** Returns one message per kind that differs from the first of its name; each names both places. */
export function differentKinds({ resources, actions }: Pick<Catalog, 'resources' | 'actions'>): string[] {
  const placed = [
    ...resources.flatMap(({ type, id, fields, operations }): Placed[] => [
      [`${type}.id`, id],
      ...Object.entries(fields).map(([name, { kind }]): Placed => [`${type}.${name}`, kind]),
      ...operations.flatMap(takenOrSaid),
    ]),
    ...actions.flatMap(takenOrSaid),
  ]
  const firsts = new Map<string, Placed>()
  return placed.flatMap(([place, kind]) => {
    const { schema: name } = kind.named
    if (name === undefined) return []
    const [first, known] = firsts.get(name) ?? [place, kind]
    firsts.set(name, [first, known])
    return JSON.stringify(known.schema) === JSON.stringify(kind.schema)
      ? []
      : [`${place} is another ${name} than ${first}: kinds that are not alike need names of their own`]
  })
}

function takenOrSaid(operation: PublishedOperation | PublishedAction): Placed[] {
  const taken = 'accepts' in operation ? operation.accepts : {}
  const said = 'meta' in operation ? (operation.meta?.fields ?? {}) : {}
  return Object.entries({ ...taken, ...said }).map(([name, { kind }]) => [`${operation.name}.${name}`, kind])
}
