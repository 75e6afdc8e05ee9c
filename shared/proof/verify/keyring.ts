// Keyrings say which keys belong to a service. Includes the strict reader of a published keyring document.
import { carried } from '../bundle/bundle_parts.ts'
import { rethrown, toHex } from '../bytes.ts'
import { keyIdOf } from '../composites.ts'
import { isJsonObject, type JsonValue } from '../json_value.ts'
import { readStrictJson, StrictJsonError } from '../strict_json.ts'
import { base64Bytes } from './carried_values.ts'

export interface KeyringKey {
  /** 8 hex. */
  readonly key_id: string
  /** base64, 32 bytes. */
  readonly public_key: string
}

export interface NamedKeyring {
  /** The name in reports. */
  readonly name: string
  /** True for the keyring of the verifying service. */
  readonly own?: true
  readonly keys: readonly KeyringKey[]
  /** True when the keyring could not be loaded. `keys` is then empty. */
  readonly unloaded?: true
}

export class KeyringRejected extends Error {
  override readonly name = 'KeyringRejected'
}

/**
 * The keys of `{"version": "1.0", "keys": [{"key_id", "public_key", …}]}`, from text, bytes or a value of the
 * strict reader. Ignores other members. Each id must be derived from its key and appear once; otherwise a
 * bundle's key could be found under the id of another key.
 * @throws KeyringRejected with a message that says what is wrong
 */
export function readKeyring(document: string | Uint8Array | JsonValue): readonly KeyringKey[] {
  const isText = typeof document === 'string' || document instanceof Uint8Array
  const value = isText ? rethrown(() => readStrictJson(document), StrictJsonError, rejectedFor) : document
  if (!isJsonObject(value)) throw new KeyringRejected('a keyring is a JSON object')
  if (carried(value, 'version') !== '1.0') throw new KeyringRejected('not version 1.0 of a keyring')
  const keys = carried(value, 'keys')
  if (!Array.isArray(keys)) throw new KeyringRejected('keys is not a list')
  const read = keys.map(readKey)
  if (new Set(read.map((key) => key.key_id)).size !== read.length)
    throw new KeyringRejected('two keys share a key_id')
  return read
}

function readKey(entry: JsonValue, position: number): KeyringKey {
  const keyId = carried(entry, 'key_id')
  const publicKey = carried(entry, 'public_key')
  const bytes = base64Bytes(publicKey, 32)
  if (bytes === undefined || typeof publicKey !== 'string')
    throw new KeyringRejected(`public_key of keys[${position}] is not base64 of 32 bytes`)
  const derived = toHex(keyIdOf(bytes))
  if (keyId !== derived)
    throw new KeyringRejected(`key_id of keys[${position}] is not that of its public_key`)
  return { key_id: derived, public_key: publicKey }
}

const rejectedFor = ({ message }: StrictJsonError): KeyringRejected => new KeyringRejected(message)
