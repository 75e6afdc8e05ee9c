// verify-hash: whether a text has an expected digest. Plain hashes only.
import { timingSafeEqual } from 'node:crypto'
import { isHashType } from '../../../shared/proof/claims.ts'
import { attribute } from '../../contract/attribute.ts'
import { resultOf, textResult, truthMember } from '../../contract/operation.ts'
import {
  DEFAULT_HASH_TYPE,
  digest,
  HASH_TYPE_ATTRIBUTE,
  hexLength,
  UNPAIRED_SURROGATE,
  UNSUPPORTED_ALGORITHM,
} from './hash.ts'
import { anyText, type Failure, invalid, readAction } from './read_action.ts'

interface VerifyHashArguments {
  readonly text: string
  /** Hex in either case; white space around it is ignored. */
  readonly hash: string
  readonly hash_type?: string | undefined
}

interface VerifyHashResult {
  readonly matches: boolean
  /** The digest of `text`, lower case. */
  readonly computed: string
  readonly algorithm: string
}

export function verifyHash({ text, hash, hash_type }: VerifyHashArguments): VerifyHashResult | Failure {
  const algorithm = hash_type ?? DEFAULT_HASH_TYPE
  if (!isHashType(algorithm)) return invalid(UNSUPPORTED_ALGORITHM)
  if (!text.isWellFormed()) return invalid(UNPAIRED_SURROGATE)
  const length = hexLength(algorithm)
  const expected = hash.trim()
  if (expected.length !== length)
    return invalid(`hash has the wrong length: a ${algorithm} digest has ${length} hex characters`)
  if (!/^[0-9a-fA-F]+$/.test(expected))
    return invalid('hash must be hex: only the characters 0 to 9 and a to f')
  const computed = digest(algorithm, text)
  return {
    matches: timingSafeEqual(computed, Buffer.from(expected, 'hex')),
    computed: computed.toString('hex'),
    algorithm,
  }
}

export const verifyHashUtility = readAction({
  name: 'verifyHash',
  tool: { name: 'verify_hash', title: 'Verify a hash' },
  http: 'POST /utilities/verify-hash',
  graphql: 'verifyHash',
  access: 'read',
  doc: 'Whether a text has the expected digest. Plain hashes only, never domain-separated ones.',
  accepts: {
    text: attribute(anyText, 'Hashed as UTF-8.', { required: true }),
    hash: attribute(
      anyText,
      'The expected digest in hex; white space around it and letter case do not matter.',
      { required: true },
    ),
    hash_type: HASH_TYPE_ATTRIBUTE,
  },
  result: resultOf({
    matches: truthMember('Compared in constant time.'),
    computed: textResult('The digest of the text, lower case.'),
    algorithm: textResult('The hash function.'),
  }),
  example: {
    data: {
      text: 'abc',
      hash: 'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD',
    },
    result: {
      matches: true,
      computed: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      algorithm: 'sha256',
    },
  },
  run: async (_, given) =>
    verifyHash({
      text: given.text,
      hash: given.hash,
      hash_type: given.hash_type ?? undefined,
    }),
})
