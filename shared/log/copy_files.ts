// The JSON files beside a copy of the log: of each epoch, which blocks it covers and what a public chain has of it; and
// every key that a block introduced. What has another form is a RangeError.
import { fromBase64, fromHex, isHex, toBase64, toHex, utf8 } from '../proof/bytes.ts'
import { sha256 } from '../proof/domain_hash.ts'
import {
  canonicalJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
} from '../proof/json_value.ts'
import { CHAIN_NAMES, CHAINS, type ChainName, isChainName } from '../proof/public_chains.ts'
import { readStrictJson } from '../proof/strict_json.ts'

export interface EpochFile {
  readonly chain: ChainName
  readonly network: string
  /** From 0, within chain and network. */
  readonly sequence: number
  /** 64 hex: the root of the tree over the hashes of the blocks. */
  readonly root: string
  readonly first_height: number
  readonly last_height: number
  /** Null until a public chain has confirmed it. */
  readonly commitment: EpochCommitment | null
}

/** Hashes and bytes are lowercase hex; hashes of Bitcoin in display order. */
interface EpochCommitment {
  readonly id: string
  readonly signing_key_id: string
  readonly commitment_hash: string
  readonly transaction_hash: string
  /** When the chain has it, in whole seconds. */
  readonly timestamp: string
  /** Of a chain whose evidence is a block: that block, the transaction, and the proof that it holds it. */
  readonly block_height?: number
  readonly block_hash?: string
  readonly block_merkle_root?: string
  readonly raw_transaction?: string
  readonly txoutproof?: string
  /** Of a chain whose evidence is a ledger. */
  readonly ledger?: number
}

/** A transaction has at most 64 KiB, and its proof less. */
export const MAX_EPOCH_FILE_BYTES = 524_288

/**
 * Where the epochs of a series are. The first network that a chain was used with has the chain's name, every later one
 * its own name behind it.
 */
export const seriesFolder = (chain: ChainName, laterNetwork?: string): string =>
  `epochs/${chain}${laterNetwork === undefined ? '' : `-${laterNetwork}`}`

/** Every folder in which a copy may have a series. */
export const SERIES_FOLDERS: readonly string[] = CHAIN_NAMES.toSorted().flatMap((chain) => [
  seriesFolder(chain),
  ...CHAINS[chain].networks.map((network) => seriesFolder(chain, network)),
])

export const epochPath = (folder: string, sequence: number): string => `${folder}/${sequence}.json`

/** Its folder is one of `SERIES_FOLDERS`. */
export type EpochPlace = Readonly<NonNullable<ReturnType<typeof readEpochPath>>>

/** Undefined for every path that `epochPath` does not write. */
export function readEpochPath(path: string) {
  const [, folder = '', sequence] = /^(.+)\/(0|[1-9]\d{0,9})\.json$/.exec(path) ?? []
  return SERIES_FOLDERS.includes(folder) ? { folder, sequence: Number(sequence) } : undefined
}

/**
 * The bytes of the file: canonical JSON and a newline. `sha256` is the hash of the same text without that member, so
 * that damage is found in what nothing else is computed from.
 */
export function writeEpochFile(epoch: EpochFile): Uint8Array {
  const { commitment, ...rest } = epoch
  const document: JsonObject = { ...rest, commitment: commitment === null ? null : { ...commitment } }
  return utf8(`${canonicalJson({ ...document, sha256: checksum(document) })}\n`)
}

/** @throws RangeError unless the bytes are such a file, in its only spelling */
export function readEpochFile(bytes: Uint8Array): EpochFile {
  const document = asObject(readStrictJson(bytes))
  const { sha256: sum, ...rest } = document
  if (sum !== checksum(rest)) throw new RangeError('sha256 is not that of the rest')
  const text = new TextDecoder().decode(bytes)
  if (text !== `${canonicalJson(document)}\n`) throw new RangeError('not canonical JSON')
  const chain = memberOf(document, 'chain')
  if (!isChainName(chain)) throw new RangeError('chain is not known')
  return {
    chain,
    network: textIn(document, 'network'),
    sequence: countIn(document, 'sequence'),
    root: hexIn(document, 'root', 32),
    first_height: countIn(document, 'first_height'),
    last_height: countIn(document, 'last_height'),
    commitment: commitmentOf(memberOf(document, 'commitment')),
  }
}

function commitmentOf(value: JsonValue | undefined): EpochCommitment | null {
  if (value === null) return null
  if (!isJsonObject(value)) throw new RangeError('commitment is missing')
  const has = (name: string): boolean => Object.hasOwn(value, name)
  return {
    id: textIn(value, 'id'),
    signing_key_id: hexIn(value, 'signing_key_id', 4),
    commitment_hash: hexIn(value, 'commitment_hash', 32),
    transaction_hash: hexIn(value, 'transaction_hash', 32),
    timestamp: textIn(value, 'timestamp'),
    ...(has('ledger') ? { ledger: countIn(value, 'ledger') } : {}),
    ...(has('block_height')
      ? {
          block_height: countIn(value, 'block_height'),
          block_hash: hexIn(value, 'block_hash', 32),
          block_merkle_root: hexIn(value, 'block_merkle_root', 32),
          raw_transaction: hexIn(value, 'raw_transaction'),
          txoutproof: hexIn(value, 'txoutproof'),
        }
      : {}),
  }
}

const checksum = (document: JsonObject): string => toHex(sha256(utf8(canonicalJson(document))))

export type FiledKey = Readonly<ReturnType<typeof readKeyringFile>[number]>

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
export function readKeyringFile(bytes: Uint8Array) {
  const keys = memberOf(asObject(readStrictJson(bytes)), 'keys')
  if (!Array.isArray(keys)) throw new RangeError('keys are missing')
  return keys.map(asObject).map((key) => ({
    /** 4 bytes. */
    keyId: fromHex(hexIn(key, 'key_id', 4)),
    publicKey: fromBase64(textIn(key, 'public_key')),
    sequence: countIn(key, 'sequence'),
    introducedAtHeight: countIn(key, 'introduced_at_height'),
  }))
}

function asObject(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new RangeError('not a JSON object')
  return value
}

function textIn(object: JsonObject, name: string): string {
  const value = memberOf(object, name)
  if (typeof value !== 'string') throw new RangeError(`${name} is missing`)
  return value
}

function countIn(object: JsonObject, name: string): number {
  const value = memberOf(object, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name} is not a count`)
  return value
}

function hexIn(object: JsonObject, name: string, bytes?: number): string {
  const value = textIn(object, name)
  if (!isHex(value, bytes)) throw new RangeError(`${name} is not hex`)
  return value
}
