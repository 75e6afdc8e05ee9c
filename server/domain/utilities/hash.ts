// hash: the digest of a text, plain or with the byte of one of our hash domains before it.
import { createHash } from 'node:crypto'
import { HASH_TYPES, type HashType, isHashType, OPENSSL_NAMES } from '../../../shared/proof/claims.ts'
import { DOMAIN_BYTES, domainHash } from '../../../shared/proof/domain_hash.ts'
import { attribute } from '../../contract/attribute.ts'
import { resultOf, textResult, wholeMember } from '../../contract/operation.ts'
import { anyText, type Failure, invalid, readAction } from './read_action.ts'

export const DEFAULT_HASH_TYPE: HashType = 'sha256'

/** Documents and messages list them in this order. */
const HASH_TYPE_NAMES = Object.keys(HASH_TYPES).join(', ')

/** The attribute of the same name, wherever it stands. */
export const HASH_TYPE_ATTRIBUTE = attribute(
  anyText,
  `\`sha256\` unless said otherwise. One of ${HASH_TYPE_NAMES}.`,
  { nullable: true },
)

/** Digest of the text's UTF-8 form. The text must be well-formed, or U+FFFD would be hashed in place of what is not. */
export const digest = (type: HashType, text: string): Buffer =>
  createHash(OPENSSL_NAMES[type]).update(text, 'utf8').digest()

/** Digest length in hex characters, e.g. 64 for `sha256`. */
export const hexLength = (type: HashType): number => HASH_TYPES[type]

interface HashArguments {
  /** Hashed as UTF-8. */
  readonly text: string
  readonly hash_type?: string | undefined
  /** When set, `hash_type` is ignored. */
  readonly domain?: string | undefined
}

interface HashResult {
  /** Lower case. */
  readonly hex: string
  readonly algorithm: string
  /** Bytes of the text, without the domain's byte. */
  readonly input_byte_length: number
  readonly domain?: HashDomain
  /** e.g. `0x11` */
  readonly prefix?: string
}

export function hash({ text, hash_type, domain }: HashArguments): HashResult | Failure {
  if (!text.isWellFormed()) return invalid(UNPAIRED_SURROGATE)
  const bytes = Buffer.from(text, 'utf8')
  if (domain !== undefined) return hashInDomain(bytes, domain)
  const algorithm = hash_type ?? DEFAULT_HASH_TYPE
  if (!isHashType(algorithm)) return invalid(UNSUPPORTED_ALGORITHM)
  return {
    hex: digest(algorithm, text).toString('hex'),
    algorithm,
    input_byte_length: bytes.length,
  }
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

type HashDomain = (typeof HASH_DOMAINS)[number]

export const UNSUPPORTED_ALGORITHM = `unsupported algorithm: hash_type must be one of ${HASH_TYPE_NAMES}`

export const UNPAIRED_SURROGATE =
  'text contains an unpaired surrogate, which has no UTF-8 form and cannot be hashed'

function hashInDomain(bytes: Uint8Array, name: string): HashResult | Failure {
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
  graphql: 'hash',
  access: 'read',
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
  run: async (_, given) =>
    hash({
      text: given.text,
      hash_type: given.hash_type ?? undefined,
      domain: given.domain ?? undefined,
    }),
})
