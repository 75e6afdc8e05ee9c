// Random JSON values for property tests, and the same value with its members in another order.
import fc from 'fast-check'
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/proof/json_value.ts'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 8 }).filter((value) => value.isWellFormed()),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '0',
    '10',
    '"\\/\b\f\n\r\t\0',
    '\u2028',
    '￿',
    '😀',
    'toString',
  ),
)

const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(-0, 1e21, 1e-7, 2 ** 53, 5e-324),
)

/** No bigints: those come from texts. Members are the object's own, `__proto__` included. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue; object: JsonObject }>(
  (tie) => ({
    value: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      fc.constant(null),
      fc.boolean(),
      finite,
      text,
      fc.array(tie('value'), { maxLength: 5 }),
      tie('object'),
    ),
    object: fc
      .uniqueArray(fc.tuple(text, tie('value')), { maxLength: 5, selector: ([name]) => name })
      .map((members) => Object.fromEntries(members)),
  }),
).value

export function shuffled(value: JsonValue, dice: Iterator<number>): JsonValue {
  if (Array.isArray(value)) return value.map((member) => shuffled(member, dice))
  if (!isJsonObject(value)) return value
  const ranked = Object.entries(value).map(([name, member]) => ({
    name,
    member,
    rank: Number(dice.next().value),
  }))
  ranked.sort((a, b) => a.rank - b.rank)
  return Object.fromEntries(ranked.map(({ name, member }) => [name, shuffled(member, dice)]))
}
