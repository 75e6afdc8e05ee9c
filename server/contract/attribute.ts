// An attribute: one member of the body of a create, an update or an action. Also the types that operations receive.
import type { Kind } from './kinds/kind.ts'

/**
 * `Value` is the type that operations receive. It includes null when the attribute is nullable, and
 * undefined when it is optional.
 */
export interface Attribute<Value = unknown> {
  readonly kind: Kind
  readonly doc: string
  readonly required: boolean
  /** True when null has a meaning of its own, such as "no default team". */
  readonly nullable: boolean
  /** For a list: the name of the operation whose attributes each entry has, e.g. `createItem`. */
  readonly entriesOf?: string
  /**
   * For an action that examines this value, such as a check of a hash: returns the result for a value that is not
   * valid. `why` is the reason. Without it, an invalid value is an error of the request.
   */
  readonly outcome?: (why: string) => object
  /** The example that documents show, in place of the kind's example. */
  readonly example?: unknown
  readonly leftOutOfExample?: true
  /** Used only by the compiler; never set. */
  readonly carries?: () => Value
}

export type Accepts = Readonly<Record<string, Attribute>>

interface Parts<Taken> {
  readonly required?: true
  readonly nullable?: true
  readonly entriesOf?: string
  readonly outcome?: (why: string) => object
  readonly example?: Taken
  readonly leftOutOfExample?: true
}

type ValueOf<Taken, Own> =
  | Taken
  | (Own extends { readonly nullable: true } ? null : never)
  | (Own extends { readonly required: true } ? never : undefined)

export const attribute = <Taken, const Own extends Parts<Taken> = Record<never, never>>(
  kind: Kind<Taken, unknown>,
  doc: string,
  parts?: Own,
): Attribute<ValueOf<Taken, Own>> => Object.freeze({ required: false, nullable: false, ...parts, kind, doc })

type Carried<One> = One extends { readonly carries?: () => infer Value } ? Value : never

type RequiredNames<All> = {
  [Name in keyof All]: undefined extends Carried<All[Name]> ? never : Name
}[keyof All]

/** The type that `run` receives: every required attribute, and the optional attributes that were sent. */
export type Given<All extends Accepts> = {
  readonly [Name in RequiredNames<All>]: Carried<All[Name]>
} & {
  readonly [Name in Exclude<keyof All, RequiredNames<All>>]?: Exclude<Carried<All[Name]>, undefined>
}

/** The type that `check` receives: the attributes whose kind accepted their value. */
export type Passed<All extends Accepts> = {
  readonly [Name in keyof All]?: Exclude<Carried<All[Name]>, undefined>
}

/** True when every required attribute is present. */
export const isWhole = <All extends Accepts>(accepts: All, passed: Passed<All>): passed is Given<All> =>
  Object.entries(accepts).every(([name, { required }]) => !required || Object.hasOwn(passed, name))
