// hash: the digest of a text, plain or with the byte of one of our hash domains before it. verify-hash: whether a text has an
// expected digest; plain hashes only.
import { createHash, timingSafeEqual } from 'node:crypto'
import { HASH_TYPES, type HashType, isHashType, opensslName } from '../../../shared/proof/claims.ts'
import { DOMAIN_BYTES, domainHash } from '../../../shared/proof/domain_hash.ts'
import { attribute } from '../../contract/attribute.ts'
import { resultOf, textResult, truthMember, wholeMember } from '../../contract/operation.ts'
import { anyText, invalid, readAction } from './read_action.ts'

const DEFAULT_HASH_TYPE: HashType = 'sha256'

/** Documents and messages list them in this order. */
const HASH_TYPE_NAMES = Object.keys(HASH_TYPES).join(', ')

const HASH_TYPE_ATTRIBUTE = attribute(
  anyText,
  `\`sha256\` unless said otherwise. One of ${HASH_TYPE_NAMES}.`,
  { nullable: true },
)

/** Digest of the text's UTF-8 form. The text must be well-formed, or U+FFFD would be hashed in place of what is not. */
const digest = (type: HashType, text: string): Buffer =>
  createHash(opensslName(type)).update(text, 'utf8').digest()

interface HashedText {
  readonly text: string
  readonly hash_type?: string | null | undefined
}

/** With a domain, `hash_type` is ignored. */
export function hash({
  text,
  hash_type,
  domain,
}: HashedText & { readonly domain?: string | null | undefined }) {
  if (!text.isWellFormed()) return invalid(UNPAIRED_SURROGATE)
  const bytes = Buffer.from(text, 'utf8')
  if (domain !== undefined && domain !== null) return hashInDomain(bytes, domain)
  const algorithm = hash_type ?? DEFAULT_HASH_TYPE
  if (!isHashType(algorithm)) return invalid(UNSUPPORTED_ALGORITHM)
  return { hex: digest(algorithm, text).toString('hex'), algorithm, input_byte_length: bytes.length }
}

/** The registered domains that a caller may hash in. Domains of tree nodes and keys are excluded. */
export const HASH_DOMAINS = [
  'items_claims',
  'items_metadata',
  'item',
  'entropy',
  'entropy_metadata',
  'observation',
  'block',
  'block_genesis',
  'block_metadata',
  'commitment_data',
  'commitment',
  'proof',
] as const satisfies readonly (keyof typeof DOMAIN_BYTES)[]

const UNSUPPORTED_ALGORITHM = `unsupported algorithm: hash_type must be one of ${HASH_TYPE_NAMES}`

const UNPAIRED_SURROGATE = 'text contains an unpaired surrogate, which has no UTF-8 form and cannot be hashed'

function hashInDomain(bytes: Uint8Array, name: string) {
  const domain = HASH_DOMAINS.find((known) => known === name)
  if (domain === undefined) return invalid(`unknown domain: domain must be one of ${HASH_DOMAINS.join(', ')}`)
  return {
    hex: Buffer.from(domainHash(domain, bytes)).toString('hex'),
    algorithm: 'sha256',
    input_byte_length: bytes.length,
    domain,
    prefix: `0x${DOMAIN_BYTES[domain].toString(16).padStart(2, '0')}`,
  }
}

export const hashUtility = readAction({
  name: 'hash',
  tool: {
    name: 'hash',
    title: 'Hash a text',
    doc: 'The digest of a text; do not compute one in your head. A file is hashed where it is. With `domain`, the domain-separated SHA-256 that the ledger uses.',
  },
  http: 'POST /utilities/hash',
  doc: 'The digest of a text. With `domain`, the domain-separated SHA-256 that the ledger uses for that kind of thing.',
  accepts: {
    text: attribute(anyText, 'Hashed as UTF-8.', { required: true }),
    hash_type: HASH_TYPE_ATTRIBUTE,
    domain: attribute(
      anyText,
      `Puts one registered byte in front of the text and uses SHA-256, whatever \`hash_type\` says. One of ${HASH_DOMAINS.join(', ')}.`,
      { nullable: true },
    ),
  },
  result: resultOf({
    hex: textResult('Lower case.'),
    algorithm: textResult('The hash function; `sha256` with a domain.'),
    input_byte_length: wholeMember('Of the text in UTF-8.'),
    'domain?': textResult('As given.'),
    'prefix?': textResult('The byte of the domain, e.g. `0x11`.'),
  }),
  example: {
    data: { text: 'abc' },
    result: {
      hex: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      algorithm: 'sha256',
      input_byte_length: 3,
    },
  },
  run: async (_, given) => hash(given),
})

export function verifyHash({ text, hash, hash_type }: HashedText & { readonly hash: string }) {
  const algorithm = hash_type ?? DEFAULT_HASH_TYPE
  if (!isHashType(algorithm)) return invalid(UNSUPPORTED_ALGORITHM)
  if (!text.isWellFormed()) return invalid(UNPAIRED_SURROGATE)
  const length = HASH_TYPES[algorithm]
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
  run: async (_, given) => verifyHash(given),
})
