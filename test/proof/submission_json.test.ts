// What may be submitted for hashing: JSON that every reader hashes alike.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { checkSubmittable } from '../../shared/proof/submission_json.ts'
import { anyJson } from './any_json.ts'

describe('submission', () => {
  it.each([
    '{}',
    '{"n":9007199254740991,"m":-9007199254740991}',
    '{"n":1e21,"m":0.1,"z":-0}',
    `${'['.repeat(16)}${']'.repeat(16)}`,
    `${'{"a":'.repeat(16)}null${'}'.repeat(16)}`,
    '{"a":"","b":[null,true]}',
  ])('accepts %s', (text) => expect(checkSubmittable(readStrictJson(text))).toBeUndefined())

  it.each([
    ['9007199254740992', 'integer_out_of_range', []],
    ['{"a":[0,{"b":-9007199254740993}]}', 'integer_out_of_range', ['a', '1', 'b']],
    ['{"a":1e20}', 'integer_out_of_range', ['a']],
    ['{"a":9007199254740993.0}', 'integer_out_of_range', ['a']],
    ['{"a~b/c":{"":1}}', 'empty_member_name', ['a~b/c', '']],
    [`${'['.repeat(17)}${']'.repeat(17)}`, 'too_deep', Array(16).fill('0')],
    [`${'{"a":'.repeat(17)}1${'}'.repeat(17)}`, 'too_deep', Array(16).fill('a')],
  ])('refuses %s as %s at %j', (text, reason, path) => {
    expect(checkSubmittable(readStrictJson(text))).toMatchObject({ reason, path })
  })

  it('refuses what could only have come past the strict reader', () => {
    expect(checkSubmittable({ a: '\ud800' })).toMatchObject({ reason: 'unpaired_surrogate', path: ['a'] })
    expect(checkSubmittable({ '\ud800': 1 })).toMatchObject({ reason: 'unpaired_surrogate' })
    expect(checkSubmittable([Number.NaN])).toMatchObject({ reason: 'number_not_finite', path: ['0'] })
  })

  it('what it accepts reads back from its canonical form without a bigint', () => {
    const hasBigint = (value: JsonValue): boolean =>
      typeof value === 'bigint' ||
      (typeof value === 'object' &&
        value !== null &&
        Object.values(value).some((member) => hasBigint(member)))
    fc.assert(
      fc.property(anyJson, (value) => {
        const accepted = checkSubmittable(value) === undefined
        if (accepted) expect(hasBigint(readStrictJson(canonicalJson(value)))).toBe(false)
      }),
    )
  })

  it('a bomb deeper than the stack is refused at its 17th level', () => {
    let bomb: JsonValue = []
    for (let i = 0; i < 200_000; i++) bomb = [bomb]
    expect(checkSubmittable(bomb)?.reason).toBe('too_deep')
  })
})
