// Calls type-graphql's decorators as plain functions. Only this file deals with its types.
import 'reflect-metadata'
import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  createParameterDecorator,
  Field,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Subscription,
} from 'type-graphql'
import type { GraphqlContext } from './graphql_context.ts'

export type TypeClass = new () => object

/** A place in the schema and its type: a scalar, an enumeration or a class made here. */
export interface Slot {
  readonly type: object
  readonly list?: boolean
  /** `itemsAndList`: the members of the list may be null too. */
  readonly nullable?: boolean | 'itemsAndList'
  readonly doc?: string
}

export type Arguments = Readonly<Record<string, unknown>>

/** The arguments of a resolver. */
interface Asked {
  readonly source: unknown
  readonly given: Arguments
  readonly context: GraphqlContext
  readonly info: GraphQLResolveInfo
}

type Resolve = (asked: Asked) => unknown

/** A member that is computed, and the arguments that it takes. */
interface Computed {
  readonly name: string
  readonly slot: Slot
  readonly args: Members
}

/** The members by name, in the order in which they are printed. */
type Members = Readonly<Record<string, Slot>>

/** @param members those whose values are already on the object */
export function objectType(name: string, doc: string, members: Members = {}): TypeClass {
  const Type = classNamed(name)
  ObjectType(name, { ...described(doc), simpleResolvers: true })(Type)
  addFields(Type, members)
  return Type
}

export function inputType(name: string, members: Members = {}): TypeClass {
  const Type = classNamed(name)
  InputType(name)(Type)
  addFields(Type, members)
  return Type
}

/** @param members the value of each published name, e.g. `{ PRIVATE: 'private' }` */
export function enumType(name: string, members: Readonly<Record<string, string>>): object {
  const type = { ...members }
  registerEnumType(type, { name })
  return type
}

export function addFields(Type: TypeClass, members: Members): void {
  for (const [name, slot] of Object.entries(members))
    Field(typeOf(slot), optionsOf(slot))(Type.prototype, name)
}

/** Adds a member whose value must be fetched. */
export function addFetchedField(Type: TypeClass, field: Computed, resolve: Resolve): void {
  const { name, slot } = field
  const descriptor = addMethod(Type, field, resolve)
  Field(typeOf(slot), { ...optionsOf(slot), simple: false })(Type.prototype, name, descriptor)
}

export function addRootField(
  on: 'query' | 'mutation',
  Root: TypeClass,
  field: Computed,
  resolve: Resolve,
): void {
  const { name, slot } = field
  const descriptor = addMethod(Root, field, (asked) =>
    asked.context.settled === undefined ? resolve(asked) : asked.context.settled(),
  )
  const decorate = on === 'query' ? Query : Mutation
  decorate(typeOf(slot), optionsOf(slot))(Root.prototype, name, descriptor)
}

/**
 * @param source yields the values; each becomes one answer
 * @param show converts a value to its published object
 */
export function addSubscription<News extends object>(
  Root: TypeClass,
  field: Computed,
  source: (context: GraphqlContext, given: Arguments) => AsyncIterable<News> | Promise<AsyncIterable<News>>,
  show: (news: News, context: GraphqlContext) => object,
): void {
  const { name, slot } = field
  const descriptor = addMethod(Root, field, ({ source: news, context }) => show(news as News, context))
  const subscribe = ({ context, args: given }: { context: GraphqlContext; args: Arguments }) =>
    source(context, given)
  Subscription(typeOf(slot), { ...optionsOf(slot), subscribe })(Root.prototype, name, descriptor)
}

/**
 * type-graphql calls methods with one argument per parameter. Our resolvers take everything as the first argument.
 */
function addMethod(Type: TypeClass, { name, args }: Pick<Computed, 'name' | 'args'>, resolve: Resolve) {
  const descriptor: PropertyDescriptor = { value: resolve, configurable: true }
  Object.defineProperty(Type.prototype, name, descriptor)
  createParameterDecorator<GraphqlContext>(
    ({ root, args: given, context, info }): Asked => ({ source: root, given, context, info }),
  )(Type.prototype, name, 0)
  for (const [index, [argument, slot]] of Object.entries(args).entries())
    Arg(argument, typeOf(slot), optionsOf(slot))(Type.prototype, name, index + 1)
  return descriptor
}

const typeOf =
  ({ type, list }: Slot) =>
  () =>
    list === true ? [type] : type

const optionsOf = ({ nullable, doc }: Pick<Slot, 'nullable' | 'doc'>) => ({
  nullable: nullable ?? false,
  ...described(doc),
})

const described = (doc: string | undefined) => (doc === undefined ? {} : { description: doc })

function classNamed(name: string): TypeClass {
  const Type = { [name]: class {} }[name]
  if (Type === undefined) throw new Error(`No class for ${name}`)
  return Type
}
