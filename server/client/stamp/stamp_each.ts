// Stamps files one by one: an item and an evidence file for each of them.
import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { asComplaint, Complaint, tellComplaint } from '../../../shared/cli/terminal.ts'
import { receiptOf, writeEvidence } from '../../../shared/evidence/evidence.ts'
import { bytesEqual, toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { readGiven } from '../given_proof.ts'
import { type Accepted, isSignedIn, mostAtOnce } from './accept.ts'
import { InOrder } from './hash_threads.ts'
import { isOccupied, putFile, requireRoomAt, STDOUT } from './places.ts'
import type { Source } from './sources.ts'
import { acceptPatiently, newSalt, otherAt, type Stamping, sharedPlace } from './stamping.ts'
import { isLastingNo, StampUnderWay } from './under_way.ts'

/**
 * @param placeOf where the evidence of each goes
 * @returns 2 when one of them could not be stamped, which keeps none of the others from it
 */
export async function stampEach(
  stamping: Stamping,
  sources: AsyncIterable<Source>,
  placeOf: (source: Source) => string,
): Promise<0 | 2> {
  const { acceptor, hasher, surroundings } = stamping
  // Who has no account gets another stamp each time, so nothing is remembered.
  const underWay = isSignedIn(acceptor.service) ? new StampUnderWay(acceptor) : undefined
  let code: 0 | 2 = 0
  const tell = (complaint: Complaint): void => {
    hasher.pause()
    tellComplaint(surroundings.terminal, complaint)
    code = 2
  }
  for await (const some of several(sources, mostAtOnce(acceptor.service))) {
    const wanted = new Map<string | symbol, Wanted>()
    const hashing = new InOrder<Wanted | Complaint>((one) => {
      const complaint = one instanceof Complaint ? one : addOnce(wanted, one)
      if (complaint !== undefined) tell(complaint)
    })
    const places = some.map((source) => ({ source, place: placeOf(source) }))
    for (const { source, place } of places)
      await hashing.add(wantedOf(stamping, source, place).catch(asComplaint))
    await hashing.end()
    for (const { place } of places)
      await underWay?.resume(place, (entries) => acceptPatiently(stamping, entries))
    const failed = await stampSome(stamping, [...wanted.values()], underWay)
    for (const complaint of failed) tell(complaint)
  }
  underWay?.end()
  return code
}

type Wanted = Awaited<ReturnType<typeof wantedOf>>

/** Among those of one request, by their places. Returns what is wrong with it. */
function addOnce(wanted: Map<string | symbol, Wanted>, one: Wanted): Complaint | undefined {
  // What goes to standard output has no place of its own.
  const place = one.place === STDOUT ? Symbol() : realPlace(one.place)
  const other = wanted.get(place)
  if (other === undefined) {
    wanted.set(place, one)
    return undefined
  }
  const isSame = other.entry.type === one.entry.type && bytesEqual(other.entry.value, one.entry.value)
  return isSame ? undefined : sharedPlace(one.place, one.source.path)
}

/** Its folder is there. */
const realPlace = (place: string): string => join(realpathSync(dirname(place)), basename(place))

/** `heldId` is the item whose evidence is there already. @throws Complaint when it cannot be hashed, or there is something else */
async function wantedOf({ hasher, acceptor, surroundings }: Stamping, source: Source, place: string) {
  const { type, value } = await hasher.hash(source)
  // Whoever gets a neighbour’s evidence could otherwise guess short data. Items of an account have no neighbours.
  const salt = isSignedIn(acceptor.service) ? undefined : newSalt()
  const wanted = { source, entry: { type, value, salt }, place }
  if (!isOccupied(place)) {
    await requireRoomAt(place)
    return { ...wanted, heldId: undefined }
  }
  const held = await readGiven(surroundings.terminal, place)
  const evidence = held.kind === 'evidence' && held.manifest === undefined ? held.evidence : undefined
  if (evidence?.digest.type === type && bytesEqual(evidence.digest.value, value))
    return { ...wanted, heldId: evidence.item.id }
  throw otherAt(place, 'Move it away if the file has changed since, or choose another place: -o <place>')
}

/** @returns what was accepted and could not be written */
async function stampSome(
  stamping: Stamping,
  wanted: readonly Wanted[],
  underWay: StampUnderWay | undefined,
): Promise<Complaint[]> {
  const { hasher, telling } = stamping
  const missing = wanted.filter(({ heldId }) => heldId === undefined)
  const answers = new Map(missing.map((one) => [one, underWay?.taken(one)]))
  const asked = missing.filter((one) => answers.get(one) === undefined)
  const forget = await underWay?.begin(asked)
  const entries = asked.map(({ entry }) => entry)
  const accepting = entries.length === 0 ? Promise.resolve([]) : acceptPatiently(stamping, entries)
  const accepted = await accepting.catch((error: unknown) => {
    if (isLastingNo(error)) forget?.()
    throw error
  })
  for (const [at, one] of asked.entries()) answers.set(one, accepted[at])
  hasher.pause()
  const failed: Complaint[] = []
  for (const one of wanted) {
    const { heldId, place } = one
    const answer = answers.get(one)
    if (heldId !== undefined) telling.accepted({ evidence: place, item_id: heldId, files: 1, is_new: false })
    else if (answer === undefined) throw new Error('A digest has no answer.')
    else
      try {
        await placeReceipt(stamping, one, answer)
        telling.accepted({ evidence: place, item_id: answer.item.id, files: 1, is_new: true })
      } catch (error) {
        failed.push(telling.unwritten(answer.item.id, asComplaint(error)))
      }
  }
  if (failed.length === 0) forget?.()
  return failed
}

async function placeReceipt(
  { surroundings: { terminal } }: Stamping,
  { source, entry, place }: Wanted,
  { item, trees }: Accepted,
): Promise<void> {
  const name = source.path === toHex(entry.value) ? undefined : basename(source.path)
  const text = writeEvidence(receiptOf({ digest: entry, name, trees, item }))
  if (place === STDOUT) terminal.write(utf8(text))
  else await putFile(place, [text])
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
