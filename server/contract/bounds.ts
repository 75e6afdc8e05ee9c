// Ceilings on what a client sends, each judged before what lies under it is looked at: counts before elements, lengths
// before characters. Too much costs no more than to see that it is too much.
import { z } from 'zod'
import { hasAtLeast, hasAtMost } from '../../shared/proof/code_points.ts'
import { isLargerThan, SHORTEST_MEMBER } from '../../shared/proof/json_size.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'

/** Code points of a text, entries of a list or map. */
export interface Bounds {
  readonly min?: number
  readonly max: number
}

/** What `meta` says of the bound that a value broke: `{maximum: 20}`. */
export function boundOf(issue: z.core.$ZodIssue): Readonly<Record<string, unknown>> {
  const value = 'input' in issue && typeof issue.input === 'number' ? { value: issue.input } : {}
  if (issue.code === 'too_big') return { maximum: Number(issue.maximum), ...value }
  if (issue.code !== 'too_small') return {}
  const empty = issue.minimum === 1 && issue.origin !== 'number' ? { reason: 'empty' } : {}
  return { minimum: Number(issue.minimum), ...empty, ...value }
}

/** A text of so many characters, whatever they are. zod's own bounds count UTF-16 units, so these are told in `meta`. */
export const boundedText = (bounds: Bounds) => {
  const { min = 0, max } = bounds
  return z
    .string('must be a string')
    .check((context) => {
      const { value, issues } = context
      const common = { origin: 'string', inclusive: true, input: value } as const
      if (!hasAtLeast(value, min)) {
        const message = min === 1 ? 'must not be empty' : `has at least ${min} characters`
        issues.push({ ...common, code: 'too_small', minimum: min, message })
      }
      if (!hasAtMost(value, max)) {
        const message = `has at most ${max} characters`
        issues.push({ ...common, code: 'too_big', maximum: max, message, continue: false })
      }
    })
    .meta(lengths(bounds))
}

/** As JSON Schema says it. */
const lengths = ({ min, max }: Bounds) => ({
  ...(min === undefined ? {} : { minLength: min }),
  maxLength: max,
})

/** A text that a column can hold: PostgreSQL knows no U+0000, and UTF-8 no half of a surrogate pair. */
export const storableText = (bounds: Bounds) =>
  boundedText(bounds)
    .refine((text) => text.isWellFormed(), 'cannot contain half a surrogate pair')
    .refine((text) => !text.includes('\0'), 'cannot contain U+0000')

/** Within what a double holds exactly. */
export function boundedInteger({
  min,
  max,
}: {
  readonly min: number | undefined
  readonly max: number | undefined
}) {
  const whole = z.int('must be an integer')
  const least = min === undefined ? whole : whole.min(min, `is at least ${min}`)
  return max === undefined ? least : least.max(max, `is at most ${max}`)
}

/** A list whose elements are judged once it is known to have no more of them than it may. */
export function boundedList<Element>(
  bounds: Bounds,
  element: z.ZodType<Element>,
  { message = 'must be a list', unique = false } = {},
): z.ZodType<readonly Element[]> {
  const { min = 0, max } = bounds
  const counted = z.custom<readonly unknown[]>(Array.isArray, message).check(({ value, issues }) => {
    const common = { origin: 'array', inclusive: true, input: value } as const
    if (value.length < min)
      issues.push({ ...common, code: 'too_small', minimum: min, message: 'must not be empty' })
    if (value.length > max)
      issues.push({ ...common, code: 'too_big', maximum: max, message: `has at most ${max} entries` })
  })
  const judged = counted
    .pipe(z.array(element))
    .meta({ ...(bounds.min === undefined ? {} : { minItems: min }), maxItems: max })
  if (!unique) return judged
  return judged.meta({ uniqueItems: true }).check(({ value, issues }) => {
    const seen = new Set<unknown>()
    for (const [index, one] of value.entries()) {
      if (seen.has(one)) issues.push({ code: 'custom', input: one, path: [index], message: 'is there twice' })
      seen.add(one)
    }
  })
}

/** Texts by name, judged once it is known how many there are. */
export const boundedMap = ({ max }: Bounds, name: Bounds, value: Bounds) =>
  z
    .custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object')
    .check(({ value: given, issues }) => {
      if (Object.keys(given).length > max) {
        const message = `has at most ${max} entries`
        issues.push({
          origin: 'object',
          inclusive: true,
          input: given,
          code: 'too_big',
          maximum: max,
          message,
        })
      } else if (Object.hasOwn(given, '__proto__'))
        // What follows would leave this member out without a word.
        issues.push({ code: 'custom', input: given, message: 'must not have a member __proto__' })
    })
    .pipe(namedTexts(name, value))
    .meta({ maxProperties: max })

/** A name that is too long is told at its entry, as is a value. */
const namedTexts = (name: Bounds, value: Bounds) =>
  z.record(z.string().meta(lengths(name)), boundedText(value)).check(({ value: given, issues }) => {
    for (const one of Object.keys(given))
      if (!hasAtMost(one, name.max))
        issues.push({
          origin: 'string',
          inclusive: true,
          input: one,
          path: [one],
          code: 'too_big',
          maximum: name.max,
          message: `a name has at most ${name.max} characters`,
        })
  })

/** An object whose shortest spelling has no more than so many bytes, as far as it counts. */
export const boundedObject = (bytes: number, counted: (object: JsonObject) => JsonObject = (all) => all) =>
  z
    .custom<JsonObject>(isRecord, 'must be an object')
    .check(({ value, issues }) => {
      if (isLargerThan(counted(value), bytes)) issues.push(tooManyBytes(value, bytes))
    })
    .meta(objectOfBytes(bytes))

/** An object of so many bytes at most, as JSON Schema says it. */
export const objectOfBytes = (bytes: number) => ({
  type: 'object',
  maxProperties: membersIn(bytes),
  'x-max-bytes': bytes,
})

export const boundedObjectOrText = ({ bytes, max }: Bounds & { readonly bytes: number }) =>
  z
    .custom<JsonObject | string>(
      (value) => typeof value === 'string' || isRecord(value),
      'must be an object or a string',
    )
    .check(({ value, issues }) => {
      if (typeof value !== 'string') {
        if (isLargerThan(value, bytes)) issues.push(tooManyBytes(value, bytes))
      } else if (!hasAtMost(value, max))
        issues.push({
          origin: 'string',
          inclusive: true,
          input: value,
          code: 'too_big',
          maximum: max,
          message: `has at most ${max} characters`,
        })
    })
    .meta({ ...objectOfBytes(bytes), type: ['object', 'string'], maxLength: max })

/** More members than this do not go into so many bytes. */
export const membersIn = (bytes: number): number => Math.floor(bytes / SHORTEST_MEMBER)

const tooManyBytes = (input: unknown, bytes: number) =>
  ({
    origin: 'object',
    inclusive: true,
    input,
    code: 'too_big',
    maximum: bytes,
    message: `has at most ${bytes} bytes`,
  }) as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Characters of so many bytes in base64 (RFC 4648 section 4). */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)
