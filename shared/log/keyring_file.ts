// The file `keyring.json` beside a copy of the log: every key that a block of it introduced.
import { fromBase64, fromHex, toBase64, toHex, utf8 } from '../proof/bytes.ts'
import { canonicalJson } from '../proof/canonical_json.ts'
import { memberOf } from '../proof/json_value.ts'
import { asObject, countIn, hexIn, objectIn, textIn } from './file_members.ts'

export interface FiledKey {
  /** 4 bytes. */
  readonly keyId: Uint8Array
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  readonly sequence: number
  readonly introducedAtHeight: number
}

/** Canonical JSON and a newline: a published keyring, and the height of the block that introduced each key. */
export const writeKeyringFile = (keys: readonly FiledKey[]): Uint8Array =>
  utf8(
    `${canonicalJson({
      version: '1.0',
      keys: keys.map(({ keyId, publicKey, sequence, introducedAtHeight }, at) => ({
        key_id: toHex(keyId),
        public_key: toBase64(publicKey),
        sequence,
        active: at === keys.length - 1,
        introduced_at_height: introducedAtHeight,
      })),
    })}\n`,
  )

/** The keys alone: whether a file has the one spelling, `writeKeyringFile` tells. @throws RangeError on other bytes */
export function readKeyringFile(bytes: Uint8Array): FiledKey[] {
  const keys = memberOf(objectIn(bytes), 'keys')
  if (!Array.isArray(keys)) throw new RangeError('keys are missing')
  return keys.map(asObject).map((key) => ({
    keyId: fromHex(hexIn(key, 'key_id', 4)),
    publicKey: fromBase64(textIn(key, 'public_key')),
    sequence: countIn(key, 'sequence'),
    introducedAtHeight: countIn(key, 'introduced_at_height'),
  }))
}
