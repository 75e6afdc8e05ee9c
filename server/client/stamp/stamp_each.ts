// Stamps files one by one: an item and an evidence file for each of them.

import { basename } from 'node:path'
import { Complaint, tellComplaint } from '../../../shared/cli/terminal.ts'
import type { TreeEntry } from '../../../shared/evidence/digest_tree.ts'
import { receiptOf, writeEvidence } from '../../../shared/evidence/evidence.ts'
import { bytesEqual, toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { readGiven } from '../given_proof.ts'
import { isSignedIn, mostAtOnce } from './accept.ts'
import type { Accepted } from './by_door.ts'
import { InOrder } from './hash_threads.ts'
import { placeText } from './place_file.ts'
import { isTaken, requireRoomAt, STDOUT } from './places.ts'
import { newSalt } from './salt.ts'
import type { Source } from './sources.ts'
import { acceptPatiently, otherAt, type Stamping } from './stamping.ts'

/**
 * @param placeOf where the evidence of each goes
 * @returns 2 when one of them could not be stamped, which keeps none of the others from it
 */
export async function stampEach(
  stamping: Stamping,
  sources: AsyncIterable<Source>,
  placeOf: (source: Source) => string,
): Promise<0 | 2> {
  const { terminal } = stamping.surroundings
  let code: 0 | 2 = 0
  for await (const some of several(sources, mostAtOnce(stamping.acceptor.service))) {
    const wanted: Wanted[] = []
    const hashing = new InOrder<Wanted | Complaint>((one) => {
      if (!(one instanceof Complaint)) return void wanted.push(one)
      stamping.hasher.pause()
      tellComplaint(terminal, one)
      code = 2
    })
    for (const source of some)
      await hashing.add(
        wantedOf(stamping, source, placeOf(source)).catch((error: unknown) => {
          if (error instanceof Complaint) return error
          throw error
        }),
      )
    await hashing.end()
    await stampSome(stamping, wanted)
  }
  return code
}

interface Wanted {
  readonly source: Source
  readonly entry: TreeEntry
  readonly place: string
  /** The item whose evidence is there already. */
  readonly heldId: string | undefined
}

/** @throws Complaint when it cannot be hashed, or there is something else at the place */
async function wantedOf(
  { hasher, acceptor, surroundings }: Stamping,
  source: Source,
  place: string,
): Promise<Wanted> {
  const { type, value } = await hasher.hash(source)
  // Whoever gets a neighbour’s evidence could otherwise guess short data. Items of an account have no neighbours.
  const salt = isSignedIn(acceptor.service) ? undefined : newSalt()
  const wanted = { source, entry: { type, value, salt }, place }
  if (!isTaken(place)) {
    await requireRoomAt(place)
    return { ...wanted, heldId: undefined }
  }
  const held = await readGiven(surroundings.terminal, place)
  const evidence = held.kind === 'evidence' && held.manifest === undefined ? held.evidence : undefined
  if (evidence?.digest.type === type && bytesEqual(evidence.digest.value, value))
    return { ...wanted, heldId: evidence.item.id }
  throw otherAt(place, 'Move it away if the file has changed since, or choose another place: -o <place>')
}

async function stampSome(stamping: Stamping, wanted: readonly Wanted[]): Promise<void> {
  const missing = wanted.filter(({ heldId }) => heldId === undefined)
  // The same request gets the same items, so a run that was interrupted asks for all of them again.
  const asked = missing.length > 0 && isSignedIn(stamping.acceptor.service) ? wanted : missing
  const entries = asked.map(({ entry }) => entry)
  const answers = entries.length === 0 ? [] : await acceptPatiently(stamping, entries)
  const accepted = new Map(answers.map((answer, at) => [asked[at], answer]))
  stamping.hasher.pause()
  for (const one of wanted) {
    const { heldId, place } = one
    const answer = accepted.get(one)
    if (heldId !== undefined) stamping.telling.accepted({ place, itemId: heldId, files: 1, isNew: false })
    else if (answer === undefined) throw new Error('A digest has no answer.')
    else {
      placeReceipt(stamping, one, answer)
      stamping.telling.accepted({ place, itemId: answer.item.id, files: 1, isNew: true })
    }
  }
}

function placeReceipt(
  { surroundings: { terminal } }: Stamping,
  { source, entry, place }: Wanted,
  { item, trees }: Accepted,
): void {
  const name = source.path === toHex(entry.value) ? undefined : basename(source.path)
  const text = writeEvidence(receiptOf({ digest: entry, name, trees, item }))
  if (place === STDOUT) terminal.write(utf8(text))
  else placeText(place, text)
}

/** As many at a time as there are, up to `most`. */
async function* several<T>(all: AsyncIterable<T>, most: number): AsyncGenerator<T[]> {
  let some: T[] = []
  for await (const one of all) {
    some.push(one)
    if (some.length < most) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
