// An object type per resource: its fields, their closed sets as enumerations, and its relationships, which are
// fetched on request.
import type { Catalog, PublishedResource } from '../../../catalog/catalog.ts'
import type { Context } from '../../../catalog/context.ts'
import type { CursorCodec } from '../../../contract/keyset.ts'
import type { Related } from '../../../contract/load_related.ts'
import { ID_FIELD_DOC } from '../../../contract/resource.ts'
import { kept } from '../../../kernel/lru.ts'
import { type ListInputs, readSize } from './arguments.ts'
import { addFetchedField, addFields, enumType, objectType, type TypeClass } from './decorate.ts'
import { constantCase, inCamelCase, pascalCase, reversible, spelling } from './names.ts'
import { SCALARS } from './scalars.ts'

type EnumTypes = ReturnType<typeof enumTypes>

export function enumTypes() {
  const made = new Map<string, { readonly type: object; readonly values: string }>()
  /** Returns the enumeration of a resource's field or attribute. */
  return (type: string, field: string, values: readonly string[]): object => {
    const name = `${pascalCase(type)}${pascalCase(field)}`
    const published = () => Object.fromEntries(values.map((value) => [constantCase(value), value]))
    const known = kept(made, name, () => ({ type: enumType(name, published()), values: values.join() }))
    if (known.values !== values.join()) throw new Error(`${name} stands for two different sets.`)
    return known.type
  }
}

export type ObjectTypes = ReturnType<typeof objectTypes>

export function objectTypes(
  { resources, related }: Pick<Catalog, 'resources' | 'related'>,
  enums: EnumTypes,
) {
  const made = new Map(resources.map((one) => [one.type, objectType(pascalCase(one.type), one.doc)]))
  const of = (type: string): TypeClass => {
    const Type = made.get(type)
    if (Type === undefined) throw new Error(`No object type for ${type}.`)
    return Type
  }
  const spell = (type: string, shown: object): object => Object.assign(new (of(type))(), inCamelCase(shown))
  /** Converts an object that is published without a row. */
  const present = keepFrozen(spell)
  const presentAll = keepFrozen((type: string, shown: readonly object[]): readonly object[] =>
    shown.map((one) => present(type, one)),
  )
  /** Converts a row to its GraphQL object. Relationship fields find their rows by its id. */
  const show = ({ type, idOf, shown }: PublishedResource, row: object, context: Context): object => {
    const members: Record<string, unknown> = { id: idOf(row) }
    for (const { name, show: shownAs } of shown) members[spelling(name)] = shownAs(row, context)
    return Object.assign(new (of(type))(), members)
  }
  for (const resource of resources) {
    addOwnFields(resource, of, enums)
    addRelationships(resource, of, (type, row, context) => show(related(type), row, context))
  }
  /** The same of a row that a verb returned. */
  const prepareRow = async (resource: PublishedResource, row: unknown, context: Context): Promise<object> => {
    if (typeof row !== 'object' || row === null) throw new Error(`${resource.type}: no row was answered.`)
    await resource.prepare([row], context)
    return show(resource, row, context)
  }
  return Object.freeze({ of, show, prepareRow, present, presentAll })
}

/** What the fields of the roots are made from. */
export interface RootParts {
  readonly Query: TypeClass
  readonly Mutation: TypeClass
  readonly Subscription: TypeClass
  readonly types: ObjectTypes
  readonly enums: EnumTypes
  readonly inputs: ListInputs
  readonly MutationError: TypeClass
  readonly related: Related<Context>
  readonly cursors: CursorCodec
}

/** Frozen objects are kept by who made them, such as beacons, and so is what is made of them. */
function keepFrozen<From extends object, To extends object>(
  make: (type: string, from: From) => To,
): (type: string, from: From) => To {
  const made = new WeakMap<From, To>()
  return (type, from) =>
    Object.isFrozen(from) ? kept(made, from, () => Object.freeze(make(type, from))) : make(type, from)
}

type TypeOf = (type: string) => TypeClass

function addOwnFields({ type, id, fields }: PublishedResource, of: TypeOf, enums: EnumTypes): void {
  const own = Object.entries(fields).map(([name, { kind, doc, nullable, graphql }]) => {
    const values = graphql?.asText === true ? undefined : kind.values
    const slot = {
      type: values === undefined ? SCALARS[kind.graphql] : enums(type, name, values),
      list: kind.isList,
      nullable: nullable || graphql?.nullable === true,
      doc,
    }
    return [reversible(name), slot] as const
  })
  addFields(of(type), { id: { type: SCALARS[id.graphql], doc: ID_FIELD_DOC }, ...Object.fromEntries(own) })
}

function addRelationships(
  resource: PublishedResource,
  of: TypeOf,
  show: (type: string, row: object, context: Context) => object,
): void {
  for (const [name, { many, most: max = 1, target, doc }] of Object.entries(resource.relationships)) {
    const args = many
      ? { first: { type: SCALARS.Int, nullable: true, doc: `At most so many, up to ${max}.` } }
      : {}
    const slot = { type: of(target), list: many, nullable: !many, doc }
    addFetchedField(
      of(resource.type),
      { name: reversible(name), slot, args },
      async ({ source, given, context }) => {
        const most = many ? readSize(given.first, 'first', { size: DEFAULT_RELATED, max }) : 1
        const found = await context.loadRelated(resource, name, idOf(source), most)
        const shown = found.map((row) => show(target, row, context))
        return many ? shown : (shown[0] ?? null)
      },
    )
  }
}

/** The members of a to-many relationship when the query names no number. */
const DEFAULT_RELATED = 25

function idOf(source: unknown): string {
  const id: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, 'id') : undefined
  if (typeof id !== 'string') throw new Error('An object was shown without its id.')
  return id
}
