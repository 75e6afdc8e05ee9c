// Compares a folder with its manifest: first whether the manifest is the item's, and then every file with what it says.
import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Surroundings } from '../../../shared/cli/command.ts'
import {
  asComplaint,
  Complaint,
  codeOf,
  type ExitCode,
  paced,
  plural,
  printable,
  sayDocument,
  tellComplaint,
} from '../../../shared/cli/terminal.ts'
import type { ManifestEntry } from '../../../shared/evidence/manifest_tree.ts'
import type { EvidenceTrust } from '../../../shared/evidence/trust.ts'
import { bytesEqual } from '../../../shared/proof/bytes.ts'
import { type HashType, isHashType } from '../../../shared/proof/claims.ts'
import { unreadable } from '../files.ts'
import { type ClientProof, readGiven } from '../given_proof.ts'
import { worst } from '../one_by_one.ts'
import type { FilePlace, HashedFile } from '../stamp/hash_file.ts'
import { HashThreads, InOrder } from '../stamp/hash_threads.ts'
import { filesUnder, LeftOut } from '../stamp/sources.ts'
import { judge } from './judge.ts'
import { printReport } from './print_report.ts'

/**
 * Names every file that is not as it was. What is new alone does not make the answer a no, and what cannot be read keeps none
 * of the others from it.
 * @throws Complaint
 */
export async function verifyFolder(
  surroundings: Surroundings,
  source: string,
  folder: string,
  trust: EvidenceTrust,
): Promise<ExitCode> {
  const { terminal, values } = surroundings
  const isJson = values.json === true
  if (source === '-') throw new Complaint('A manifest is read twice, so it cannot come from standard input.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Complaint(`There is no folder ${folder}.`)
  const given = await readGiven(terminal, source)
  const manifest = given.kind === 'evidence' ? given.manifest : undefined
  if (manifest === undefined) throw new Complaint(`${source} is no manifest.`)
  const judged = await judge(surroundings, given, trust)
  if (!isJson) printReport(surroundings, judged, trust.keyrings)
  const found = new Findings(isJson ? undefined : terminal.say)
  // Names that are not the item's may lead anywhere, so no file is opened by them.
  const isItems = judged.counted !== 'not_valid'
  if (isItems) {
    const root = await compare(surroundings, source, folder, found)
    if (root === undefined || !bytesEqual(root, manifest.tree.root))
      throw new Complaint(`${source} was changed while it was verified.`)
  }
  if (isJson) sayDocument(terminal, { report: judged.shown, ...found.shown() })
  else terminal.say(isItems ? found.summary() : 'No file was compared.')
  return worst([judged.code, found.code])
}

/** @returns the root of the manifest as it was read now */
async function compare(
  { terminal }: Surroundings,
  source: string,
  folder: string,
  found: Findings,
): Promise<Uint8Array | undefined> {
  const wayTo = waysBelow(folder)
  let given: ClientProof
  const threads = new HashThreads()
  const tell = paced(terminal.progress, { firstMs: 1_000, everyMs: 200 })
  let read = 0
  const hashed = (place: FilePlace, type: HashType): Promise<HashedFile> =>
    threads.hash(place, {
      type,
      hear: (bytes) => {
        read += bytes
        tell(() => `${(read / 1e9).toFixed(1)} GB  ${printable(place.path).slice(0, 60)}`)
      },
    })
  const tellUnread = (complaint: Complaint, path: string): void => {
    found.add('unread', path)
    tellComplaint(terminal, complaint, { about: path })
  }
  const comparing = new InOrder<readonly [State | Complaint, string]>(([state, path]) =>
    state instanceof Complaint ? tellUnread(state, path) : found.add(state, path),
  )
  try {
    given = await readGiven(terminal, source, (entry) =>
      comparing.add(
        stateOf(wayTo, entry, hashed)
          .catch(asComplaint)
          .then((state) => [state, entry.path] as const),
      ),
    )
    await comparing.end()
  } finally {
    threads.end()
    terminal.progress?.('')
  }
  const manifest = given.kind === 'evidence' ? given.manifest : undefined
  if (manifest === undefined) return undefined
  const silent = { ...terminal, note: () => undefined }
  const passOver = (complaint: Complaint, path: string): void => {
    found.add('unread', path)
    tellComplaint(terminal, complaint)
    if (path.endsWith('/')) terminal.note('! What is new in it was not looked for.')
  }
  let seen = 0
  for (const { path } of filesUnder(folder, new LeftOut(silent), passOver)) {
    seen += 1
    tell(() => `${plural(seen, 'file')} seen, in search of new ones`)
    if (!manifest.has(path)) found.add('new', path)
  }
  terminal.progress?.('')
  return manifest.tree.root
}

/** What became of a file. `unread`: that could not be told, and why is a complaint. */
type State = 'unchanged' | 'changed' | 'missing' | 'new' | 'unread'

/** @throws Complaint when the file cannot be read */
async function stateOf(
  wayTo: (path: string) => string | undefined,
  { path, entry: { type, value } }: ManifestEntry,
  hashed: (place: FilePlace, type: HashType) => Promise<HashedFile>,
): Promise<State> {
  const at = wayTo(path)
  if (at === undefined) return 'missing'
  const found = foundAt(at, path)
  if (found === undefined) return 'missing'
  if (!found.isFile()) return 'changed'
  if (!isHashType(type))
    throw new Complaint(`${path} is listed by a ${type}, which is the digest of no file.`)
  const now = await hashed({ path, at }, type)
  return bytesEqual(now.value, value) ? 'unchanged' : 'changed'
}

/** Undefined where there is nothing, and of a name that nothing could have. @throws Complaint when it cannot be told */
function foundAt(at: string, path: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR' || codeOf(error) === 'ENAMETOOLONG') return undefined
    throw unreadable(path, error)
  }
}

/**
 * The way to a file below a folder. Undefined where a link or a file stands in the way.
 * @throws Complaint when that cannot be told
 */
function waysBelow(folder: string): (path: string) => string | undefined {
  const isFolder = (path: string): boolean =>
    path === '.' || (isFolder(dirname(path)) && foundAt(join(folder, path), path)?.isDirectory() === true)
  // Of the file before, because files of one folder follow each other.
  let last = '.'
  let isOpen = true
  return (path) => {
    const parent = dirname(path)
    if (parent !== last) {
      isOpen = isFolder(parent)
      last = parent
    }
    return isOpen ? join(folder, path) : undefined
  }
}

class Findings {
  readonly #say: ((line: string) => void) | undefined
  readonly #paths: Record<Exclude<State, 'unchanged'>, string[]> = {
    changed: [],
    missing: [],
    new: [],
    unread: [],
  }
  readonly #counts: Record<State, number> = { unchanged: 0, changed: 0, missing: 0, new: 0, unread: 0 }

  /** @param say prints each as it is found. Undefined where all are shown at the end. */
  constructor(say: ((line: string) => void) | undefined) {
    this.#say = say
  }

  add(state: State, path: string): void {
    this.#counts[state] += 1
    if (state === 'unchanged') return
    if (this.#say === undefined) this.#paths[state].push(path)
    else this.#say(`  ${state.padEnd('unchanged'.length)} ${printable(path)}`)
  }

  get code(): ExitCode {
    if (this.#counts.changed + this.#counts.missing > 0) return 1
    return this.#counts.unread > 0 ? 2 : 0
  }

  summary(): string {
    const { unchanged, unread, ...others } = this.#counts
    const rest = Object.entries(others).map(([state, count]) => `, ${count} ${state}`)
    return `${plural(unchanged, 'file')} unchanged${rest.join('')}${unread > 0 ? `, ${unread} unread` : ''}`
  }

  shown(): object {
    return { unchanged: this.#counts.unchanged, ...this.#paths }
  }
}
