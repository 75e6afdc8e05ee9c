// Ceilings on client values. Each ceiling is checked before the content below it: counts before elements, lengths
// before characters. So a value that is too large costs only the check of its size.
import { z } from 'zod'
import { hasAtLeast, hasAtMost } from '../../shared/proof/code_points.ts'
import { isLargerThan, type JsonObject, SHORTEST_MEMBER } from '../../shared/proof/json_value.ts'

/** Bounds on the code points of a text, or on the entries of a list or map. */
export interface Bounds {
  readonly min?: number
  readonly max: number
}

/** Returns the `meta` of the refusal: the bound that a value exceeds, e.g. `{maximum: 20}`. */
export function boundOf(issue: z.core.$ZodIssue): Readonly<Record<string, unknown>> {
  const value = 'input' in issue && typeof issue.input === 'number' ? { value: issue.input } : {}
  if (issue.code === 'too_big') return { maximum: Number(issue.maximum), ...value }
  if (issue.code !== 'too_small') return {}
  const empty = issue.minimum === 1 && issue.origin !== 'number' ? { reason: 'empty' } : {}
  return { minimum: Number(issue.minimum), ...empty, ...value }
}

/**
 * A text with a bounded number of code points. zod's own bounds count UTF-16 units, so these bounds stand in `meta`.
 */
export const boundedText = (bounds: Bounds) => {
  const { min = 0, max } = bounds
  return z
    .string('must be a string')
    .check((context) => {
      const { value, issues } = context
      if (!hasAtLeast(value, min)) {
        const message = min === 1 ? 'must not be empty' : `has at least ${min} characters`
        issues.push({ ...TOO_SMALL, origin: 'string', input: value, minimum: min, message })
      }
      if (!hasAtMost(value, max))
        issues.push({ ...tooBig('string', value, max, `has at most ${max} characters`), continue: false })
    })
    .meta(lengths(bounds))
}

/** The bounds in JSON Schema's words. */
const lengths = ({ min, max }: Bounds) => ({
  ...(min === undefined ? {} : { minLength: min }),
  maxLength: max,
})

/** A text that PostgreSQL can store: it contains no U+0000 and no unpaired surrogate. */
export const storableText = (bounds: Bounds) =>
  boundedText(bounds)
    .refine((text) => text.isWellFormed(), 'cannot contain half a surrogate pair')
    .refine((text) => !text.includes('\0'), 'cannot contain U+0000')

/** An integer that a double represents exactly. */
export function boundedInteger({ min, max }: Partial<Bounds>) {
  const whole = z.int('must be an integer')
  const least = min === undefined ? whole : whole.min(min, `is at least ${min}`)
  return max === undefined ? least : least.max(max, `is at most ${max}`)
}

/** A list. Its elements are judged only after the list has passed its maximum length. */
export function boundedList<Element>(
  bounds: Bounds,
  element: z.ZodType<Element>,
  { message = 'must be a list', unique = false } = {},
): z.ZodType<readonly Element[]> {
  const { min = 0, max } = bounds
  const counted = z.custom<readonly unknown[]>(Array.isArray, message).check(({ value, issues }) => {
    if (value.length < min)
      issues.push({ ...TOO_SMALL, origin: 'array', input: value, minimum: min, message: 'must not be empty' })
    if (value.length > max) issues.push(tooBig('array', value, max, `has at most ${max} entries`))
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

/** A map from names to texts. Its entries are judged only after the map has passed its maximum count. */
export const boundedMap = ({ max }: Bounds, name: Bounds, value: Bounds) =>
  z
    .custom<Readonly<Record<string, unknown>>>(isRecord, 'must be an object')
    .check(({ value: given, issues }) => {
      if (Object.keys(given).length > max)
        issues.push(tooBig('object', given, max, `has at most ${max} entries`))
      else if (Object.hasOwn(given, '__proto__'))
        // The z.record below would drop this member silently.
        issues.push({ code: 'custom', input: given, message: 'must not have a member __proto__' })
    })
    .pipe(namedTexts(name, value))
    .meta({ maxProperties: max })

/** A name that is too long is reported at its entry, and so is a value. */
const namedTexts = (name: Bounds, value: Bounds) =>
  z.record(z.string().meta(lengths(name)), boundedText(value)).check(({ value: given, issues }) => {
    for (const one of Object.keys(given))
      if (!hasAtMost(one, name.max))
        issues.push({
          ...tooBig('string', one, name.max, `a name has at most ${name.max} characters`),
          path: [one],
        })
  })

/** An object whose shortest JSON has at most `bytes` bytes. `counted` selects the members that count. */
export const boundedObject = (bytes: number, counted: (object: JsonObject) => JsonObject = (all) => all) =>
  z
    .custom<JsonObject>(isRecord, 'must be an object')
    .check(({ value, issues }) => {
      if (isLargerThan(counted(value), bytes)) issues.push(tooManyBytes(value, bytes))
    })
    .meta(objectOfBytes(bytes))

/** The JSON Schema of an object with at most `bytes` bytes. */
const objectOfBytes = (bytes: number) => ({
  type: 'object',
  maxProperties: membersIn(bytes),
  'x-max-bytes': bytes,
})

/** An object of at most `bytes` bytes, or a text of at most `max` code points. */
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
        issues.push(tooBig('string', value, max, `has at most ${max} characters`))
    })
    .meta({ ...objectOfBytes(bytes), type: ['object', 'string'], maxLength: max })

/** The most members that fit into this many bytes of JSON. */
export const membersIn = (bytes: number): number => Math.floor(bytes / SHORTEST_MEMBER)

const tooManyBytes = (input: unknown, bytes: number) =>
  tooBig('object', input, bytes, `has at most ${bytes} bytes`)

const tooBig = <const Origin extends 'string' | 'array' | 'object'>(
  origin: Origin,
  input: unknown,
  maximum: number,
  message: string,
) => ({ code: 'too_big', inclusive: true, origin, input, maximum, message }) as const

const TOO_SMALL = { code: 'too_small', inclusive: true } as const

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The number of base64 characters for this many bytes (RFC 4648 section 4). */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)
