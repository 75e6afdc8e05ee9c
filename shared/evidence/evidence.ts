// Evidence files, `NAME.pharos`: everything that the holder of one file needs to prove when it was there. One without a
// bundle is a receipt: the service has accepted the item, and no block with it is committed yet.
import { type Carried, carried } from '../proof/bundle/bundle_parts.ts'
import { hexOrUndefined, rethrown, toHex } from '../proof/bytes.ts'
import { isUlid } from '../proof/ids.ts'
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../proof/strict_json.ts'
import { hexBytes, integerOf, textOf } from '../proof/verify/carried_values.ts'
import {
  checkEntry,
  isEntryType,
  MAX_PATH_HASHES,
  MAX_TREE_SIZE,
  SALT_BYTES,
  type TreeEntry,
  type TreePlace,
} from './digest_tree.ts'

export const EVIDENCE_TYPE = 'application/vnd.pharos.evidence+json'

/** The largest file that is read. */
export const LARGEST_EVIDENCE_BYTES = 4_194_304

/** A tree may stand in a tree, and so on. */
export const MOST_TREES = 4

export interface EvidenceTree extends TreePlace {
  /** Of the entry that stands in this tree. */
  readonly salt: Uint8Array | undefined
}

/** The item as it is stored, with the service's signature over its hash. */
export type EvidenceItem = Readonly<ReturnType<typeof readStoredItem>>

export type EvidenceFile = Readonly<ReturnType<typeof readEvidenceValue>>

export class EvidenceRejected extends Error {
  override readonly name = 'EvidenceRejected'
}

/** Whether a value of the strict reader says that it is an evidence file. */
export const isEvidence = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && carried(value, 'pharos_evidence') !== undefined

/** @throws EvidenceRejected with what is wrong */
export function readEvidenceFile(text: string | Uint8Array): EvidenceFile {
  if (text.length > LARGEST_EVIDENCE_BYTES)
    throw new EvidenceRejected(`an evidence file has at most ${LARGEST_EVIDENCE_BYTES} bytes`)
  return readEvidenceValue(readStrict(text))
}

/** @throws EvidenceRejected when it is not JSON that is read strictly */
export const readStrict = (text: string | Uint8Array): JsonValue =>
  rethrown(
    () => readStrictJson(text),
    StrictJsonError,
    ({ message }) => new EvidenceRejected(message),
  )

/** @throws EvidenceRejected where `read` throws a RangeError, and with its words */
export const judged = <T>(read: () => T): T =>
  rethrown(read, RangeError, ({ message }) => new EvidenceRejected(message))

/**
 * @param value of the strict reader
 * @throws EvidenceRejected with what is wrong
 */
export function readEvidenceValue(value: JsonValue) {
  if (!isEvidence(value)) throw new EvidenceRejected('it has no member pharos_evidence')
  if (carried(value, 'pharos_evidence') !== 1)
    throw new EvidenceRejected('it is of a version that this program does not know')
  const trees = readTrees(carried(value, 'trees'))
  return {
    /** The digest that the file is about. In a tree its salt stands beside its path. */
    digest: readDigest(carried(value, 'digest'), trees[0]?.salt),
    /** A hint: nothing proves it. */
    name: optionalText(value, 'name'),
    /** From the digest upwards. Empty when the item is about the digest itself. */
    trees,
    item: readStoredItem(carried(value, 'item')),
    /** The item's proof bundle, unread. Undefined in a receipt. */
    bundle: readBundleMember(carried(value, 'bundle')),
    /** C2SP tlog-proof of the item's block, unread. */
    logProof: optionalText(value, 'log_proof'),
    /** An RFC 3161 token over the digest, base64 of DER, unread. */
    timeStamp: optionalText(value, 'time_stamp'),
    /** All of it as it was read, with the members that mean nothing here. */
    document: value,
  }
}

/** UTF-8 text of a file, or of the first line of a manifest. Every digit of the claims stays as it is. */
export const writeEvidence = (document: JsonObject): string => `${canonicalJson(document)}\n`

/** What a file is made from. */
type EvidenceParts = Pick<EvidenceFile, 'digest' | 'trees' | 'item'> & Partial<Pick<EvidenceFile, 'name'>>

/** The document of a receipt. */
export function receiptOf({ digest, name, trees, item }: EvidenceParts): JsonObject {
  return {
    pharos_evidence: 1,
    digest: shownDigest(digest),
    ...(name === undefined ? {} : { name }),
    ...(trees.length === 0 ? {} : { trees: trees.map(shownTree) }),
    item: shownItem(item),
  }
}

export const shownDigest = ({ type, value }: TreeEntry): JsonObject => ({ type, value: toHex(value) })

export const shownTree = ({ size, index, salt, path }: EvidenceTree): JsonObject => ({
  size,
  index,
  ...(salt === undefined ? {} : { salt: toHex(salt) }),
  path: path.map(toHex),
})

export const shownItem = ({
  service,
  id,
  claims,
  metadata,
  signingKeyId,
  signature,
}: EvidenceItem): JsonObject => ({
  service,
  id,
  claims,
  metadata,
  signing_key_id: toHex(signingKeyId),
  signature,
})

/** @throws EvidenceRejected */
export function readDigest(value: JsonValue | undefined, salt: Uint8Array | undefined): TreeEntry {
  const type = carried(value, 'type')
  const hex = carried(value, 'value')
  if (typeof type !== 'string' || !isEntryType(type)) throw new EvidenceRejected('digest.type is not known')
  const bytes = typeof hex === 'string' ? hexOrUndefined(hex) : undefined
  const entry: TreeEntry = { type, value: needed(bytes, 'digest.value is not lowercase hex'), salt }
  judged(() => checkEntry(entry))
  return entry
}

/** @throws EvidenceRejected with these words where there is nothing */
export function needed<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new EvidenceRejected(otherwise)
  return value
}

/** @throws EvidenceRejected */
export function readSalt(value: Carried, place: string): Uint8Array | undefined {
  const salt = hexBytes(value, SALT_BYTES)
  if (value !== undefined && salt === undefined)
    throw new EvidenceRejected(`${place} is not ${2 * SALT_BYTES} lowercase hex`)
  return salt
}

/** @throws EvidenceRejected */
export function readTrees(value: JsonValue | undefined): readonly EvidenceTree[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_TREES)
    throw new EvidenceRejected(`trees is a list of 1 to ${MOST_TREES}, or absent`)
  return value.map((tree, at) => readTree(tree, `trees[${at}]`))
}

function readTree(value: JsonValue, place: string): EvidenceTree {
  if (!isJsonObject(value)) throw new EvidenceRejected(`${place} is not an object`)
  const size = readWhole(value, `${place}.size`, [1, MAX_TREE_SIZE])
  const index = readWhole(value, `${place}.index`, [0, size - 1])
  const path = carried(value, 'path')
  if (!Array.isArray(path) || path.length > MAX_PATH_HASHES)
    throw new EvidenceRejected(`${place}.path is not a list of at most ${MAX_PATH_HASHES} hashes`)
  return {
    size,
    index,
    salt: readSalt(carried(value, 'salt'), `${place}.salt`),
    path: path.map((hash, at) =>
      needed(hexBytes(hash ?? undefined, 32), `${place}.path[${at}] is not 64 lowercase hex`),
    ),
  }
}

/** The last name in its place is that of the member. @throws EvidenceRejected */
export function readWhole(
  object: JsonObject,
  place: string,
  [least, most]: readonly [least: number, most: number],
): number {
  const whole = integerOf(carried(object, place.split('.').at(-1) ?? ''))
  if (whole !== undefined && whole >= least && whole <= most) return whole
  throw new EvidenceRejected(`${place} is not a number from ${least} to ${most}`)
}

/** @throws EvidenceRejected */
export function readStoredItem(value: JsonValue | undefined) {
  if (!isJsonObject(value)) throw new EvidenceRejected('item is not an object')
  const text = (name: string): string => needed(textOf(carried(value, name)), `item.${name} is not a text`)
  const object = (name: string): JsonObject => {
    const found = carried(value, name)
    if (!isJsonObject(found)) throw new EvidenceRejected(`item.${name} is not an object`)
    return found
  }
  const [service, id, signature] = [text('service'), text('id'), text('signature')]
  const [claims, metadata] = [object('claims'), object('metadata')]
  if (!isUlid(id)) throw new EvidenceRejected('item.id is not a ULID')
  const keyId = hexBytes(carried(value, 'signing_key_id'), 4)
  return {
    /** The origin of the service. A hint: nothing proves it. */
    service,
    /** ULID. */
    id,
    ...{ claims, metadata },
    /** 4 bytes. */
    signingKeyId: needed(keyId, 'item.signing_key_id is not 8 lowercase hex'),
    /** As carried. It is checked when the evidence is verified. */
    signature,
  }
}

/** @throws EvidenceRejected */
export function readBundleMember(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || isJsonObject(value)) return value
  throw new EvidenceRejected('bundle is not an object')
}

/** @throws EvidenceRejected */
export function optionalText(document: JsonValue, name: string): string | undefined {
  const value = carried(document, name)
  if (value === undefined || typeof value === 'string') return value
  throw new EvidenceRejected(`${name} is not a text`)
}
