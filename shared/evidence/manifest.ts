// Manifests: one file for all entries of a tree, as JSON Lines. The first line is what an evidence file says of the item,
// then comes a line for each entry, in the order of the leaves. The last leaf is a hash over all paths, so that names
// cannot be exchanged. Written and read as a stream.
import { carried } from '../proof/bundle/bundle_parts.ts'
import { joinBytes, toHex, utf8 } from '../proof/bytes.ts'
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../proof/json_value.ts'
import { hexBytes } from '../proof/verify/carried_values.ts'
import { MAX_TREE_SIZE, type TreeEntry } from './digest_tree.ts'
import {
  EvidenceRejected,
  LARGEST_EVIDENCE_BYTES,
  MOST_TREES,
  needed,
  readDigest,
  readSalt,
  readStoredItem,
  readStrict,
  readTrees,
  readWhole,
  shownDigest,
  shownItem,
  shownTree,
} from './evidence.ts'
import { LONGEST_LINE_BYTES, type ManifestEntry, ManifestTree, shownPath } from './manifest_tree.ts'

/** The first line. */
type ManifestHeader = Readonly<ReturnType<typeof readManifestHeader>>

export type Manifest = Readonly<Awaited<ReturnType<typeof readTreeManifest>>>

/** Whether a value of the strict reader says that it is the first line of a manifest. */
export const isManifest = (value: JsonValue): value is JsonObject =>
  isJsonObject(value) && carried(value, 'pharos_manifest') !== undefined

/** The document of a first line of which the item is not committed yet. */
export const headerDocument = ({
  size,
  namesSalt,
  above,
  item,
}: Omit<ManifestHeader, 'document'>): JsonObject => ({
  pharos_manifest: 1,
  item: shownItem(item),
  size,
  names_salt: toHex(namesSalt),
  ...(above.length === 0 ? {} : { trees: above.map(shownTree) }),
})

/** One line, with its line feed. @throws RangeError when it is longer than a line may be */
export function writeEntry({ path, entry }: ManifestEntry): string {
  const { type, value, salt } = entry
  // As `canonicalJson` writes it, whose sorting of names takes longer than everything else of a line.
  const ofSalt = salt === undefined ? '' : `,"salt":"${toHex(salt)}"`
  const line = `{"digest":{"type":"${type}","value":"${toHex(value)}"},"path":${canonicalJson(path)}${ofSalt}}\n`
  if (line.length > LONGEST_LINE_BYTES / 3 && utf8(line).length > LONGEST_LINE_BYTES)
    throw new RangeError(`the line of ${shownPath(path)} is too long`)
  return line
}

/** Hears each entry as it is read. Nothing is read before what it returns has settled. */
export type HearEntry = (entry: ManifestEntry, index: number) => void | Promise<void>

/**
 * Reads a manifest to its end. Each entry is handed on as it comes: whether it belongs to the item is known only when
 * `verifyEvidence` has judged `evidenceOfNames` of the result.
 * @throws EvidenceRejected with the number of the line and what is wrong with it
 */
export async function readTreeManifest(chunks: AsyncIterable<Uint8Array>, hear: HearEntry = () => undefined) {
  let header: ManifestHeader | undefined
  let read = 0
  let gathered = new ManifestTree()
  for await (const lines of linesOf(chunks))
    for (const line of lines) {
      read += 1
      try {
        if (header === undefined) {
          header = readManifestHeader(readStrict(line))
          gathered = new ManifestTree(header.size)
        } else {
          // Two lines are no entries: the first one, and the leaf over the names has none.
          if (read > header.size)
            throw new EvidenceRejected('there are more entries than the first line says')
          const entry = readEntryLine(line)
          gathered.add(entry)
          const heard = hear(entry, read - 2)
          if (heard !== undefined) await heard
        }
      } catch (error) {
        if (error instanceof EvidenceRejected) throw new EvidenceRejected(`line ${read}: ${error.message}`)
        throw error
      }
    }
  if (header === undefined) throw new EvidenceRejected('it is empty')
  if (read !== header.size)
    throw new EvidenceRejected(
      `it ends after ${read - 1} entries, and its first line says ${header.size - 1}`,
    )
  return { header, ...gathered.close(header.namesSalt) }
}

/**
 * The document of the evidence file of one entry, made without asking anybody.
 * @throws RangeError when the tree has no such leaf
 */
export function evidenceOfEntry(
  { header, tree }: Pick<Manifest, 'header' | 'tree'>,
  index: number,
  { path, entry }: ManifestEntry,
): JsonObject {
  return evidenceOf({ header, tree }, index, { entry, name: path.split('/').at(-1) })
}

/** The evidence that the last leaf, and so the whole tree with its names, is the item's. */
export const evidenceOfNames = ({ header, tree, names }: Manifest): JsonObject =>
  evidenceOf({ header, tree }, tree.size - 1, { entry: names })

function evidenceOf(
  { header, tree }: Pick<Manifest, 'header' | 'tree'>,
  index: number,
  { entry, name }: { readonly entry: TreeEntry; readonly name?: string | undefined },
): JsonObject {
  const { pharos_manifest: _, size: _size, names_salt: _salt, trees: _above, ...shared } = header.document
  const own = { size: tree.size, index, salt: entry.salt, path: tree.path(index) }
  return {
    ...shared,
    pharos_evidence: 1,
    digest: shownDigest(entry),
    ...(name === undefined ? {} : { name }),
    trees: [own, ...header.above].map(shownTree),
  }
}

/** @throws EvidenceRejected */
function readManifestHeader(value: JsonValue) {
  if (!isManifest(value)) throw new EvidenceRejected('it has no member pharos_manifest')
  if (carried(value, 'pharos_manifest') !== 1)
    throw new EvidenceRejected('it is of a version that this program does not know')
  const size = readWhole(value, 'size', [1, MAX_TREE_SIZE])
  const namesSalt = needed(hexBytes(carried(value, 'names_salt'), 16), 'names_salt is not 32 lowercase hex')
  const above = readTrees(carried(value, 'trees'))
  // Its own tree is one of those that an evidence file may have.
  if (above.length >= MOST_TREES) throw new EvidenceRejected(`trees has at most ${MOST_TREES - 1}`)
  return {
    /** Leaves of the tree: the entries and the one over their names. */
    size,
    /** 16 bytes. */
    namesSalt,
    /** The trees above its own. */
    above,
    item: readStoredItem(carried(value, 'item')),
    /** All of it as it was read: a bundle and a proof of the public log stand in it too. */
    document: value,
  }
}

/** @param line without its line feed @throws EvidenceRejected */
export function readEntryLine(line: Uint8Array): ManifestEntry {
  const value = readStrict(line)
  const path = carried(value, 'path')
  if (!isJsonObject(value) || typeof path !== 'string') throw new EvidenceRejected('path is not a text')
  return { path, entry: readDigest(carried(value, 'digest'), readSalt(carried(value, 'salt'), 'salt')) }
}

/**
 * For each chunk the lines that end in it, without their line feeds; the last one may lack it. One line is there at a time,
 * because those that are gathered keep their chunks in memory.
 * @throws EvidenceRejected for a line that is longer than its place allows
 */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<Uint8Array>> {
  let held: Uint8Array[] = []
  let heldBytes = 0
  let ended = 0
  const hold = (part: Uint8Array): void => {
    held.push(part)
    heldBytes += part.length
    if (heldBytes > (ended === 0 ? LARGEST_EVIDENCE_BYTES : LONGEST_LINE_BYTES))
      throw new EvidenceRejected(`line ${ended + 1} is too long`)
  }
  const takeHeld = (): Uint8Array => {
    const [only] = held
    const line = held.length === 1 && only !== undefined ? only : joinBytes(held)
    held = []
    heldBytes = 0
    ended += 1
    return line
  }
  function* endingIn(chunk: Uint8Array): Generator<Uint8Array> {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      hold(chunk.subarray(start, end))
      yield takeHeld()
      start = end + 1
    }
    hold(chunk.subarray(start))
  }
  for await (const chunk of chunks) yield endingIn(chunk)
  if (heldBytes > 0) yield [takeHeld()]
}

const LINE_FEED = 0x0a
