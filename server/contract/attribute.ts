// A member of a create, update or action body, and what operations are given of all of them.
import type { Kind } from './kinds/kind.ts'

/** `Value` is what operations are given: the judged value, null where that is a value, undefined where it may be absent. */
export interface Attribute<Value = unknown> {
  readonly kind: Kind
  readonly doc: string
  readonly required: boolean
  /** True where null is a value of its own, such as "no default team". */
  readonly nullable: boolean
  /** Of a list: the operation whose attributes each entry has, e.g. `createItem`. */
  readonly entriesOf?: string
  /**
   * Of an action that is asked about this very value: what it answers, as its result, where the request holds no such
   * value, and why. Elsewhere that is a mistake of the request.
   */
  readonly outcome?: (why: string) => object
  /** What documents show instead of the kind's example; `left out` where it goes together with others only. */
  readonly example?: unknown
  readonly leftOutOfExample?: true
  /** For the compiler alone: never set. */
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

/** What `run` is given: every attribute that is required, and of the others those that were sent. */
export type Given<All extends Accepts> = {
  readonly [Name in RequiredNames<All>]: Carried<All[Name]>
} & {
  readonly [Name in Exclude<keyof All, RequiredNames<All>>]?: Exclude<Carried<All[Name]>, undefined>
}

/** What rules are asked about: those that passed their own kind. */
export type Passed<All extends Accepts> = {
  readonly [Name in keyof All]?: Exclude<Carried<All[Name]>, undefined>
}

/** True when nothing that is required is missing. */
export const isWhole = <All extends Accepts>(accepts: All, passed: Passed<All>): passed is Given<All> =>
  Object.entries(accepts).every(([name, { required }]) => !required || Object.hasOwn(passed, name))
