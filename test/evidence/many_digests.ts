// A process with very many digests. Its first word says what it does: `write` makes their tree and their manifest; `read`
// reads that back, checks it path by path, and writes, reads and verifies evidence files of many of them. It tells its
// seconds of CPU time, and the most memory that it took beyond that of its start.
import {
  closeSync,
  createReadStream,
  createWriteStream,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TreeEntry } from '../../shared/evidence/digest_tree.ts'
import { readEvidenceFile, writeEvidence } from '../../shared/evidence/evidence.ts'
import {
  evidenceOfEntry,
  headerDocument,
  type Manifest,
  readTreeManifest,
  writeEntry,
} from '../../shared/evidence/manifest.ts'
import { type ManifestEntry, ManifestTree } from '../../shared/evidence/manifest_tree.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { knownKeyring } from '../proof/known_bundles.ts'
import { signedItem, treeClaims } from './known_evidence.ts'
import { SecondPaths, secondEntry } from './second_tree.ts'

const [phase, folder = '', entries = '', files = ''] = process.argv.slice(2)
const atStart = process.memoryUsage.rss()
const COUNT = Number(entries)
const FILES = Number(files)
const MANIFEST = join(folder, 'many.pharos')
const NAMES_SALT = Buffer.alloc(16, 7)

/** The same in each process, and held by none: numbers of the index (xorshift). */
function entryAt(index: number): TreeEntry {
  let state = Math.imul(index + 1, 2_654_435_761)
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state
  }
  const value = new Uint8Array(32)
  const salt = new Uint8Array(16)
  for (let at = 0; at < 32; at += 1) value[at] = next()
  for (let at = 0; at < 16; at += 1) salt[at] = next()
  return { type: 'sha256', value, salt }
}
const manifestEntryAt = (index: number): ManifestEntry => ({
  path: `folder ${Math.floor(index / 1_000)}/file ${index}.txt`,
  entry: entryAt(index),
})

/** As lines are written to a disk: many at once. */
const LINES_AT_ONCE = 500

async function writeManifest(): Promise<void> {
  const gathered = new ManifestTree(COUNT)
  const lines = `${MANIFEST}.lines`
  await pipeline(
    Readable.from(
      (function* () {
        for (let from = 0; from < COUNT; from += LINES_AT_ONCE) {
          let text = ''
          for (let at = from; at < Math.min(COUNT, from + LINES_AT_ONCE); at += 1) {
            const entry = manifestEntryAt(at)
            gathered.add(entry)
            text += writeEntry(entry)
          }
          yield text
        }
      })(),
    ),
    createWriteStream(lines),
  )
  const { tree } = gathered.close(NAMES_SALT)
  const item = signedItem(treeClaims(tree.root, tree.size))
  writeFileSync(
    MANIFEST,
    writeEvidence(headerDocument({ size: tree.size, namesSalt: NAMES_SALT, above: [], item })),
  )
  appendFileTo(MANIFEST, lines)
  rmSync(lines)
}

/** By one buffer, so that it adds no garbage to what is measured. */
function appendFileTo(path: string, more: string): void {
  const [to, from] = [openSync(path, 'a'), openSync(more, 'r')]
  const buffer = Buffer.alloc(1_048_576)
  for (let read = readSync(from, buffer); read > 0; read = readSync(from, buffer))
    writeSync(to, buffer, 0, read)
  closeSync(from)
  closeSync(to)
}

const readManifest = (): Promise<Manifest> =>
  readTreeManifest(createReadStream(MANIFEST, { highWaterMark: 1_048_576 }), ({ path, entry }, index) => {
    const made = manifestEntryAt(index)
    if (path !== made.path || Buffer.compare(made.entry.value, entry.value) !== 0)
      throw new Error(`Entry ${index} was read as another.`)
  })

function checkEveryPath({ tree }: Manifest): void {
  const paths = new SecondPaths(tree.size, tree.root)
  for (let index = 0; index < COUNT; index += 1)
    if (!paths.check(index, tree.path(index), secondEntry(entryAt(index))))
      throw new Error(`The path of entry ${index} leads elsewhere.`)
}

async function writeAndReadEvidence(manifest: Manifest): Promise<void> {
  for (let at = 0; at < FILES; at += 1) {
    const index = Math.floor((at * COUNT) / FILES)
    const file = join(folder, 'one.pharos')
    writeFileSync(file, writeEvidence(evidenceOfEntry(manifest, index, manifestEntryAt(index))))
    const report = await verifyEvidence(
      readEvidenceFile(readFileSync(file)),
      { keyrings: [knownKeyring], verifySignature: () => true },
      entryAt(index).value,
    )
    if (report.verdict !== 'not_yet') throw new Error(`Evidence ${index} is ${report.verdict}.`)
  }
}

async function measured<T>(work: () => T | Promise<T>): Promise<{ result: T; seconds: number }> {
  const { user, system } = process.cpuUsage()
  const result = await work()
  const used = process.cpuUsage({ user, system })
  return { result, seconds: (used.user + used.system) / 1_000_000 }
}

if (phase === 'write') {
  const { seconds } = await measured(writeManifest)
  tell({ seconds })
} else {
  const read = await measured(readManifest)
  const checked = await measured(() => checkEveryPath(read.result))
  const evidence = await measured(() => writeAndReadEvidence(read.result))
  tell({ seconds: read.seconds + checked.seconds, evidence: evidence.seconds })
}

function tell(seconds: { readonly seconds: number; readonly evidence?: number }): void {
  const mebibytes = (process.resourceUsage().maxRSS * 1_024 - atStart) / 1_048_576
  process.stdout.write(JSON.stringify({ ...seconds, mebibytes }))
}
