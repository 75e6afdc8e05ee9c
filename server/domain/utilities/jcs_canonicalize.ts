// jcs-canonicalize: the canonical form of a JSON object, which is what gets hashed (RFC 8785). Nulls stay here.
// Claims drop theirs before.
import { canonicalJson, type JsonObject } from '../../../shared/proof/json_value.ts'
import { attribute } from '../../contract/attribute.ts'
import { jsonObject } from '../../contract/kinds.ts'
import { resultOf, textResult, wholeMember } from '../../contract/operation.ts'
import { invalid, LONGEST_ARGUMENT, readAction } from './read_action.ts'

/**
 * `json` comes from the strict reader: integers beyond the range of a double are bigints and keep their digits, and it
 * always has a canonical form. Other objects may hold unpaired surrogates or NaN, or be nested too deeply for the stack.
 * All of these cause a RangeError.
 */
export function jcsCanonicalize({ json }: { readonly json: JsonObject }) {
  try {
    const canonical = canonicalJson(json)
    return { canonical, byte_length: Buffer.byteLength(canonical) }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return invalid(
      'json has no canonical form: an unpaired surrogate, a number that is not finite, or nested too deep',
    )
  }
}

export const jcsCanonicalizeUtility = readAction({
  name: 'jcsCanonicalize',
  tool: { name: 'jcs_canonicalize', title: 'Canonicalize JSON' },
  http: 'POST /utilities/jcs-canonicalize',
  doc: 'Canonical JSON (RFC 8785). Nulls stay; to predict a claims hash leave null members out first, then hash with domain `items_claims`.',
  accepts: {
    // Input that is no JSON object is a valid question here, so it gives a result and no refusal.
    json: attribute(jsonObject({ bytes: LONGEST_ARGUMENT }), 'A JSON object.', {
      required: true,
      outcome: (why: string) => invalid(`json ${why}`),
    }),
  },
  result: resultOf({
    canonical: textResult('The one spelling of the object.'),
    byte_length: wholeMember('Of the canonical text in UTF-8.'),
  }),
  example: {
    data: { json: { name: 'a file', amount: 10.0, ascii: null } },
    result: { canonical: '{"amount":10,"ascii":null,"name":"a file"}', byte_length: 42 },
  },
  run: async (_, given) => jcsCanonicalize(given),
})
