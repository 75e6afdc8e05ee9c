// type-graphql's decorators, called as the plain functions they are: what its typings and its metadata need stands here alone.
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

/** What stands in a place of the schema. `type` is a scalar, an enumeration or a class made here. */
export interface Slot {
  readonly type: object
  readonly list?: boolean
  /** `itemsAndList`: the members of a list may be null too. */
  readonly nullable?: boolean | 'itemsAndList'
  readonly doc?: string
}

/** A slot that may wait for a type that is made later. */
export type LazySlot = Omit<Slot, 'type'> & { readonly type: () => object }

export type Arguments = Readonly<Record<string, unknown>>

/** What a resolver is given. */
export interface Asked {
  readonly source: unknown
  readonly given: Arguments
  readonly context: GraphqlContext
  readonly info: GraphQLResolveInfo
}

export type Resolve = (asked: Asked) => unknown

export const lazy = (slot: Slot): LazySlot => ({ ...slot, type: () => slot.type })

export function objectType(name: string, doc: string): TypeClass {
  const Type = classNamed(name)
  ObjectType(name, { ...described(doc), simpleResolvers: true })(Type)
  return Type
}

export function inputType(name: string, doc?: string): TypeClass {
  const Type = classNamed(name)
  InputType(name, described(doc))(Type)
  return Type
}

/** @param members the value behind each published name, e.g. `{ PRIVATE: 'private' }` */
export function enumType(name: string, members: Readonly<Record<string, string>>, doc?: string): object {
  const type = { ...members }
  registerEnumType(type, { name, ...described(doc) })
  return type
}

/** A member that is there already when the object is. */
export function addField(Type: TypeClass, name: string, slot: LazySlot): void {
  Field(typeOf(slot), optionsOf(slot))(Type.prototype, name)
}

/** A member that has to be fetched. */
export function addFetchedField(
  Type: TypeClass,
  name: string,
  slot: LazySlot,
  args: Readonly<Record<string, Slot>>,
  resolve: Resolve,
): void {
  const descriptor = addMethod(Type, name, args, resolve)
  Field(typeOf(slot), { ...optionsOf(slot), simple: false })(Type.prototype, name, descriptor)
}

export function addRootField(
  on: 'query' | 'mutation',
  Root: TypeClass,
  name: string,
  slot: Slot,
  args: Readonly<Record<string, Slot>>,
  resolve: Resolve,
): void {
  const descriptor = addMethod(Root, name, args, resolve)
  const decorate = on === 'query' ? Query : Mutation
  decorate(typeOf(lazy(slot)), optionsOf(slot))(Root.prototype, name, descriptor)
}

/**
 * @param source what there is to tell: every value becomes one answer
 * @param show the value as the object it is published as
 */
export function addSubscription<News extends object>(
  Root: TypeClass,
  name: string,
  slot: Slot,
  source: (context: GraphqlContext, given: Arguments) => AsyncIterable<News> | Promise<AsyncIterable<News>>,
  show: (news: News, context: GraphqlContext) => object,
  args: Readonly<Record<string, Slot>> = {},
): void {
  const descriptor = addMethod(Root, name, args, ({ source: news, context }) => show(news as News, context))
  const subscribe = ({ context, args: given }: { context: GraphqlContext; args: Arguments }) =>
    source(context, given)
  Subscription(typeOf(lazy(slot)), { ...optionsOf(slot), subscribe })(Root.prototype, name, descriptor)
}

/** type-graphql calls methods with one value per parameter; ours takes everything as its first. */
function addMethod(
  Type: TypeClass,
  name: string,
  args: Readonly<Record<string, Slot>>,
  resolve: Resolve,
): PropertyDescriptor {
  const descriptor: PropertyDescriptor = { value: resolve, configurable: true }
  Object.defineProperty(Type.prototype, name, descriptor)
  createParameterDecorator<GraphqlContext>(
    ({ root, args: given, context, info }): Asked => ({ source: root, given, context, info }),
  )(Type.prototype, name, 0)
  for (const [index, [argument, slot]] of Object.entries(args).entries())
    Arg(argument, typeOf(lazy(slot)), optionsOf(slot))(Type.prototype, name, index + 1)
  return descriptor
}

const typeOf = (slot: LazySlot) => () => (slot.list === true ? [slot.type()] : slot.type())

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
