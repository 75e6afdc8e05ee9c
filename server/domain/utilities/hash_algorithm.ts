// The twelve plain hash functions, by their wire names.
import { createHash } from 'node:crypto'
import { HASH_TYPES, type HashType } from '../../../shared/proof/claims.ts'
import { OPENSSL_NAMES } from '../../../shared/proof/openssl_names.ts'
import { attribute } from '../../contract/attribute.ts'
import { anyText } from './read_action.ts'

export const DEFAULT_HASH_TYPE: HashType = 'sha256'

/** Documents and messages list them in this order. */
export const HASH_TYPE_NAMES = Object.keys(HASH_TYPES).join(', ')

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
