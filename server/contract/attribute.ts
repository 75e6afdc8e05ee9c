// An attribute: one member of the body of a create, an update or an action; the types that operations receive; and how
// what a client sends is judged, the id of a record and the members of a body by their kinds. Mistakes are collected.
import type { z } from 'zod'
import { type JsonObject, memberOf } from '../../shared/proof/json_value.ts'
import type { Problems } from '../kernel/problems.ts'
import { problem, type RefusalCode, refuse } from '../kernel/refusal.ts'
import { boundOf } from './bounds.ts'
import type { Kind } from './kind.ts'

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

type Parts<Taken> = Partial<Omit<Attribute, 'kind' | 'doc' | 'example' | 'carries'>> & {
  readonly example?: Taken
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

/** The longest id we make has fewer characters. */
const LONGEST = 64

/** Excludes U+0000, because PostgreSQL's text cannot store it. */
export const mayBeId = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= LONGEST && !given.includes('\0')

/** @throws not_found */
export function readId(given: unknown): string {
  if (!mayBeId(given)) throw refuse('not_found')
  return given
}

/** Carries the result of an action that need not run, because the value it examines is not valid (see `outcome`). */
export class InsteadOfRunning extends Error {
  readonly result: object

  constructor(result: object) {
    super('the result is known')
    this.name = 'InsteadOfRunning'
    this.result = result
  }
}

/**
 * Returns the accepted values.
 * @param wrong the code for an invalid value: `invalid_attribute`, or `invalid_argument` for actions
 * @throws Refusal when there are more mistakes than one answer reports; InsteadOfRunning when the
 * only mistake has an outcome
 */
export function readAttributes<A extends Accepts>(
  given: JsonObject,
  accepts: A,
  problems: Problems,
  wrong?: RefusalCode,
): Passed<A>
export function readAttributes(
  given: JsonObject,
  accepts: Accepts,
  problems: Problems,
  wrong: RefusalCode = 'invalid_attribute',
): Readonly<Record<string, unknown>> {
  const attributes: Record<string, unknown> = {}
  let instead: InsteadOfRunning | undefined
  const noteIssue = (issue: z.core.$ZodIssue, name: string, { outcome }: Attribute): void => {
    const meta = boundOf(issue)
    if (outcome !== undefined && Object.keys(meta).length === 0)
      instead ??= new InsteadOfRunning(outcome(issue.message))
    else
      problems.note(problem(wrong, { path: [name, ...issue.path.map(String)], detail: issue.message, meta }))
  }
  for (const [name, attribute] of Object.entries(accepts)) {
    const { kind, required, nullable } = attribute
    const value = memberOf(given, name)
    if (value === null && nullable) attributes[name] = null
    else if (value === undefined || value === null) {
      if (required) problems.note(problem('required', { path: [name] }))
      else if (value === null) problems.note(problem(wrong, { path: [name], detail: 'cannot be null' }))
    } else {
      const judged = kind.input?.safeParse(value, { reportInput: true })
      if (judged?.success === false)
        for (const issue of judged.error.issues) noteIssue(issue, name, attribute)
      else attributes[name] = judged === undefined ? value : judged.data
    }
  }
  // Unknown names come last, so that any number of them cannot hide a mistake in an accepted attribute.
  for (const name of Object.keys(given))
    if (!Object.hasOwn(accepts, name)) problems.note(problem('invalid_body', { path: [name] }))
  if (instead !== undefined && problems.all().length === 0) throw instead
  return attributes
}
