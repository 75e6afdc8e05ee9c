// Stamps many files by one item: a tree over all of them, and a manifest with every digest and its salt.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Surroundings } from '../../../shared/cli/command.ts'
import { asComplaint, Complaint, tellComplaint } from '../../../shared/cli/terminal.ts'
import { type DigestTree, treeEntry } from '../../../shared/evidence/digest_tree.ts'
import { EvidenceRejected, writeEvidence } from '../../../shared/evidence/evidence.ts'
import { evidenceOfEntry, type HearEntry, headerDocument } from '../../../shared/evidence/manifest.ts'
import { ManifestTree } from '../../../shared/evidence/manifest_tree.ts'
import { bytesEqual } from '../../../shared/proof/bytes.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { quoted, unfinishedAt } from '../files.ts'
import { readGiven } from '../given_proof.ts'
import { Draft, type DraftEntry } from './draft.ts'
import { markAt } from './hash_file.ts'
import { InOrder } from './hash_threads.ts'
import type { Hashed, Hasher } from './hasher.ts'
import { isOccupied, putFile, requireRoomAt, STDOUT } from './places.ts'
import type { Source } from './sources.ts'
import { acceptPatiently, newSalt, otherAt, type Stamping } from './stamping.ts'

/**
 * @param place of the manifest
 * @throws Complaint. What was hashed until then is kept for the next run.
 */
export async function stampTree(
  stamping: Stamping,
  sources: AsyncIterable<Source>,
  place: string,
): Promise<void> {
  const draftPath =
    place === STDOUT ? join(tmpdir(), `pharos-${randomUUID()}.part`) : unfinishedAt(place, '.part')
  if (isOccupied(place)) {
    await requireSame(stamping, sources, place)
    // A run that was killed at the very end has left it.
    await rm(draftPath, { force: true })
    return
  }
  await requireRoomAt(place)
  const draft = await Draft.open(draftPath)
  try {
    // No later run goes on from it, and nothing is left of it whatever ends this program.
    if (place === STDOUT) await draft.remove()
    const { tree } = await gathered(stamping, sources, draft).catch(async (error: unknown) => {
      await draft.save()
      throw error
    })
    await draft.complete()
    const files = tree.size - 1
    const [accepted] = await acceptPatiently(stamping, [treeEntry(tree.root, tree.size)], files)
    if (accepted === undefined) throw new Error('A tree has no answer.')
    const { item, trees: above } = accepted
    const document = headerDocument({ size: tree.size, namesSalt: draft.namesSalt, above, item })
    try {
      if (place === STDOUT) for await (const chunk of manifestOf(document, draft)) await writeOut(chunk)
      else await putFile(place, manifestOf(document, draft))
    } catch (error) {
      throw error instanceof Complaint ? stamping.telling.unwritten(item.id, error) : error
    }
    await draft.remove()
    stamping.hasher.pause()
    stamping.telling.accepted({ evidence: place, item_id: item.id, files, is_new: true })
  } finally {
    await draft.close()
  }
}

async function gathered(
  { hasher }: Stamping,
  sources: AsyncIterable<Source>,
  draft: Draft,
): Promise<{ readonly tree: DigestTree }> {
  const gathering = new ManifestTree()
  const hashing = new InOrder<DraftEntry>((entry) => {
    gathering.add(entry)
    return draft.add(entry)
  })
  try {
    for await (const source of sources) {
      const known = await draft.resume((entry) => isStill(entry, source))
      if (known === undefined) {
        const added = hashing.add(entryOf(hasher, source))
        if (added !== undefined) await added
        continue
      }
      hasher.passed(source)
      gathering.add(known)
    }
    await hashing.end()
    return gathering.close(draft.namesSalt)
  } catch (error) {
    if (!(error instanceof EvidenceRejected) && !(error instanceof RangeError)) throw error
    throw new Complaint(`No manifest can be made of this: ${error.message}.`, {
      advice: 'Rename it, stamp the folders one by one, or each file by itself: --each',
    })
  }
}

const isStill = ({ path, entry, mark }: DraftEntry, source: Source): boolean => {
  if (path !== source.path) return false
  if ('digest' in source)
    return entry.type === source.digest.type && bytesEqual(entry.value, source.digest.value)
  return mark !== '' && mark === markAt(source.at)
}

function entryOf(hasher: Hasher, source: Source): DraftEntry | Promise<DraftEntry> {
  const { path } = source
  const salted = ({ type, value, mark }: Hashed): DraftEntry => ({
    path,
    entry: { type, value, salt: newSalt() },
    mark,
  })
  if (!('digest' in source)) return hasher.hash(source).then(salted)
  hasher.passed(source)
  return salted({ ...source.digest, mark: '' })
}

/** No faster than it is read. The chunk is the caller’s again when this returns. */
const writeOut = (chunk: Uint8Array): Promise<void> =>
  new Promise((written) => void process.stdout.write(chunk, () => written()))

async function* manifestOf(document: JsonObject, draft: Draft): AsyncGenerator<Uint8Array> {
  yield Buffer.from(writeEvidence(document))
  yield* draft.lines()
}

/** What is at the place is not overwritten: it is about the very same files, or this is refused. */
async function requireSame(
  { hasher, surroundings, telling }: Stamping,
  sources: AsyncIterable<Source>,
  place: string,
): Promise<void> {
  const { terminal, self } = surroundings
  const coming = sources[Symbol.asyncIterator]()
  let isSame = true
  const given = await readGiven(terminal, place, async ({ path, entry }) => {
    if (!isSame) return
    const next = await coming.next()
    isSame = next.done !== true && next.value.path === path
    if (next.done === true || !isSame) return
    const { type, value } = await hasher.hash(next.value)
    isSame = type === entry.type && bytesEqual(value, entry.value)
  })
  isSame &&= (await coming.next()).done === true
  const manifest = given.kind === 'evidence' ? given.manifest : undefined
  if (manifest === undefined || !isSame)
    throw otherAt(
      place,
      `What changed:  ${self} verify --manifest ${quoted(place)} <folder>    To stamp it as it is now, choose another place: -o <place>`,
    )
  hasher.pause()
  telling.accepted({
    evidence: place,
    item_id: manifest.header.item.id,
    files: manifest.tree.size - 1,
    is_new: false,
  })
}

/**
 * An evidence file for each entry of a manifest.
 * @param placeOf the evidence of the file at this path
 * @returns 2 when one of them could not be written, which keeps none of the others from it
 * @throws Complaint when the manifest cannot be read
 */
export async function placeEvidence(
  { terminal }: Surroundings,
  place: string,
  placeOf: (path: string) => string,
): Promise<0 | 2> {
  const read = (hear?: HearEntry) => readGiven(terminal, place, hear)
  const given = await read()
  const manifest = given.kind === 'evidence' ? given.manifest : undefined
  if (manifest === undefined) throw new Complaint(`${place} is no manifest.`)
  const placeOne: HearEntry = async (entry, index) => {
    const target = placeOf(entry.path)
    if (!isOccupied(target))
      return putFile(target, [writeEvidence(evidenceOfEntry(manifest, index, entry))], { isSpare: true })
    const there = await readGiven(terminal, target)
    const isIt = there.kind === 'evidence' && bytesEqual(there.evidence.digest.value, entry.entry.value)
    if (!isIt) throw otherAt(target, 'Move it away, or choose another place: -o <folder>')
  }
  let code: 0 | 2 = 0
  await read(async (entry, index) => {
    try {
      await placeOne(entry, index)
    } catch (error) {
      terminal.progress?.('')
      tellComplaint(terminal, asComplaint(error))
      code = 2
    }
  })
  return code
}
