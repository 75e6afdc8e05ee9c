// The canonical form is RFC 8785's, big integers keep their digits, and what has none is refused without a fault.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jcsCanonicalize } from '../../../server/domain/utilities/jcs_canonicalize.ts'
import { isFailure } from '../../../server/domain/utilities/read_action.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/proof/json_value.ts'
import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { vectors } from '../../proof/vectors.ts'

const invalid = (message: RegExp) => ({
  ok: false,
  code: 'invalid',
  message: expect.stringMatching(message),
  retryable: false,
})

const canonicalOf = (text: string) => {
  const json = readStrictJson(text)
  return isJsonObject(json) ? jcsCanonicalize({ json }) : expect.fail('That is no object.')
}

describe('jcs-canonicalize', () => {
  it('agrees with the known answers of the format', () => {
    for (const { input_text, canonical, byte_length } of vectors.jcs)
      if (input_text.startsWith('{')) expect(canonicalOf(input_text)).toEqual({ canonical, byte_length })
  })

  it('sorts names by UTF-16 code units, as RFC 8785 section 3.2.3 shows', () => {
    const json = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    const answer = jcsCanonicalize({ json })
    expect(isFailure(answer) ? answer : Object.values(JSON.parse(answer.canonical))).toHaveLength(7)
    expect(answer).toMatchObject({
      canonical:
        '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    })
  })

  it('keeps nulls, members called __proto__ and the digits of big integers', () => {
    expect(
      canonicalOf(
        '{"n": null, "__proto__": {"constructor": 1}, "big": 123456789012345678901234567890, "z": -0}',
      ),
    ).toEqual({
      canonical: '{"__proto__":{"constructor":1},"big":123456789012345678901234567890,"n":null,"z":0}',
      byte_length: 83,
    })
  })

  it('is a fixed point, and byte_length counts UTF-8', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (given) => {
        const first = jcsCanonicalize({ json: JSON.parse(JSON.stringify(given)) })
        if (isFailure(first)) throw new Error(first.message)
        expect(first.byte_length).toBe(new TextEncoder().encode(first.canonical).length)
        expect(canonicalOf(first.canonical)).toEqual(first)
      }),
    )
  })

  it('does not take an object of the caller for a failure, whatever its members say', () => {
    const text = '{"code":"invalid","message":"mine","ok":false,"retryable":false}'
    expect(canonicalOf(text)).toEqual({ canonical: text, byte_length: 64 })
  })

  it('refuses objects that no reader of ours let through', () => {
    let deep: JsonValue = {}
    for (let i = 0; i < 200_000; i++) deep = { a: deep }
    for (const json of [{ a: '\udc00' }, { '\ud800': 1 }, { a: [Number.NaN] }, deep] as JsonObject[])
      expect(jcsCanonicalize({ json })).toEqual(invalid(/no canonical form/))
  })
})
