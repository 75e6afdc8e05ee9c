// Manifests: written and read as a stream, each entry's evidence made from them alone, and names that cannot be exchanged.
import { describe, expect, it } from 'vitest'
import type { TreeEntry } from '../../shared/evidence/digest_tree.ts'
import { EvidenceRejected, readEvidenceValue, writeEvidence } from '../../shared/evidence/evidence.ts'
import {
  evidenceOfEntry,
  evidenceOfNames,
  headerDocument,
  readTreeManifest,
  writeEntry,
} from '../../shared/evidence/manifest.ts'
import { LONGEST_LINE_BYTES, type ManifestEntry, ManifestTree } from '../../shared/evidence/manifest_tree.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { sha256 } from '../../shared/proof/domain_hash.ts'
import { canonicalJson } from '../../shared/proof/json_value.ts'
import { knownKeyring } from '../proof/known_bundles.ts'
import { signedItem, treeClaims } from './known_evidence.ts'
import { secondEntry, secondRoot } from './second_tree.ts'

const NAMES_SALT = Buffer.alloc(16, 7)
const TRUST = { keyrings: [knownKeyring] }

const entryOf = (path: string): ManifestEntry => ({
  path,
  entry: { type: 'sha256', value: sha256(Buffer.from(path)), salt: sha256(Buffer.from(path)).subarray(16) },
})
const ENTRIES = ['a.txt', 'b/c.txt', 'b/ü ✓.txt', 'z'].map(entryOf)

function linesOf(entries: readonly ManifestEntry[]): string[] {
  const gathered = new ManifestTree()
  for (const entry of entries) gathered.add(entry)
  const { tree } = gathered.close(NAMES_SALT)
  const item = signedItem(treeClaims(tree.root, tree.size))
  const header = headerDocument({ size: tree.size, namesSalt: NAMES_SALT, above: [], item })
  return [writeEvidence(header), ...entries.map(writeEntry)]
}

/** In pieces of a few bytes, as a slow disk may yield them. */
async function* inPieces(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const verdictOf = async (lines: readonly string[]): Promise<string> => {
  const manifest = await readTreeManifest(inPieces(lines.join('')))
  return (await verifyEvidence(readEvidenceValue(evidenceOfNames(manifest)), TRUST)).verdict
}

describe('a manifest', () => {
  it('has the tree that a second program makes of its entries and their names', async () => {
    const names: TreeEntry = {
      type: 'names',
      value: sha256(Buffer.from(ENTRIES.map(({ path }) => `${path}\0`).join(''))),
      salt: NAMES_SALT,
    }
    const { tree } = await readTreeManifest(inPieces(linesOf(ENTRIES).join('')))
    const raw = [...ENTRIES.map(({ entry }) => entry), names].map(secondEntry)
    expect(Buffer.from(tree.root)).toEqual(secondRoot(raw))
  })

  it('has it for many paths, some of them as long as a line allows', async () => {
    const long = (letter: string) => `${letter}/${'ü'.repeat(32_600)}`
    const entries = [...Array.from({ length: 3_000 }, (_, at) => `f/${at}`), 'a', 'b', 'c', 'd'].map((path) =>
      entryOf(path.length === 1 ? long(path) : path),
    )
    const names: TreeEntry = {
      type: 'names',
      value: sha256(Buffer.from(entries.map(({ path }) => `${path}\0`).join(''))),
      salt: NAMES_SALT,
    }
    const { tree } = await readTreeManifest(inPieces(linesOf(entries).join(''), 100_000))
    expect(Buffer.from(tree.root)).toEqual(
      secondRoot([...entries.map(({ entry }) => entry), names].map(secondEntry)),
    )
    expect(() => linesOf([entryOf('x'.repeat(LONGEST_LINE_BYTES))])).toThrow()
  })

  it.each([0, 1, 3])('refuses a path longer than a line, after %i others too', (others) => {
    const tree = new ManifestTree()
    for (let at = 0; at < others; at += 1) tree.add(entryOf(`${at}/${'x'.repeat(50_000)}`))
    expect(() => tree.add(entryOf('x'.repeat(LONGEST_LINE_BYTES + 1)))).toThrow(/longer than a line/)
  })

  it('has one line an entry, as canonical JSON', () => {
    const plain: ManifestEntry = {
      path: 'a"\n\u2028ü/b',
      entry: { type: 'sha3_512', value: new Uint8Array(64) },
    }
    for (const { path, entry } of [...ENTRIES, plain]) {
      const { type, value, salt } = entry
      const digest = { type, value: toHex(value) }
      expect(writeEntry({ path, entry })).toBe(
        `${canonicalJson({ path, digest, ...(salt === undefined ? {} : { salt: toHex(salt) }) })}\n`,
      )
    }
  })

  it('is read in pieces of any size, with or without its last line feed, and hands on each entry', async () => {
    const text = linesOf(ENTRIES).join('')
    for (const [size, written] of [
      [1, text],
      [64, text.trimEnd()],
      [1_000_000, text],
    ] as const) {
      const heard: ManifestEntry[] = []
      await readTreeManifest(inPieces(written, size), (entry) => void heard.push(entry))
      expect(heard.map(({ path }) => path)).toEqual(ENTRIES.map(({ path }) => path))
    }
    expect(await verdictOf(linesOf(ENTRIES))).toBe('not_yet')
  })

  it('makes the evidence of every entry without asking anybody', async () => {
    const manifest = await readTreeManifest(inPieces(linesOf(ENTRIES).join('')))
    for (const [index, entry] of ENTRIES.entries()) {
      const evidence = readEvidenceValue(evidenceOfEntry(manifest, index, entry))
      expect(evidence.name).toBe(entry.path.split('/').at(-1))
      expect((await verifyEvidence(evidence, TRUST, entry.entry.value)).verdict).toBe('not_yet')
    }
  })

  it('of nothing has a tree of its names alone', async () => {
    expect(await verdictOf(linesOf([]))).toBe('not_yet')
  })

  it.each<[string, (lines: string[]) => string[]]>([
    [
      'names exchanged',
      ([header = '', a = '', b = '', ...rest]) => [
        header,
        a.replace('a.txt', 'b/c.txt'),
        b.replace('b/c.txt', 'a.txt'),
        ...rest,
      ],
    ],
    ['entries exchanged', ([header = '', a = '', b = '', ...rest]) => [header, b, a, ...rest]],
    ['another digest', (lines) => lines.map((line) => line.replace(/("value":")./, '$10'))],
    [
      'another salt of the names',
      ([header = '', ...rest]) => [header.replace('07'.repeat(16), '08'.repeat(16)), ...rest],
    ],
  ])('with %s is not valid', async (_, change) => {
    expect(await verdictOf(change(linesOf(ENTRIES)))).toBe('not_valid')
  })

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    ['that is empty', () => [], /it is empty/],
    ['that is cut', (lines) => lines.slice(0, -1), /ends after 3 entries, and its first line says 4/],
    ['with one entry too many', (lines) => [...lines, writeEntry(entryOf('more'))], /line 6: there are more/],
    [
      'with a name twice',
      ([header = '', a = '', , c = '', d = '']) => [header, a, a, c, d],
      /two entries have the same path/,
    ],
    ['with a line that is no JSON', ([header = '', ...rest]) => [header, 'x\n', ...rest], /line 2: /],
    ['with a line beyond the ceiling', ([header = '']) => [header, ' '.repeat(65_537)], /too long/],
    [
      'of another version',
      ([header = '', ...rest]) => [header.replace('"pharos_manifest":1', '"pharos_manifest":2'), ...rest],
      /version/,
    ],
  ])('%s is refused', async (_, change, words) => {
    const read = readTreeManifest(inPieces(change(linesOf(ENTRIES)).join('')))
    await expect(read).rejects.toThrow(EvidenceRejected)
    await expect(read).rejects.toThrow(words)
  })

  it.each(['', '/a', 'a/', 'a//b', './a', 'a/..', '..', 'a\\b', 'a\0b', '\ud800'])(
    'has no entry with the path %j',
    (path) => {
      expect(() => new ManifestTree().add({ ...entryOf('a'), path })).toThrow(EvidenceRejected)
    },
  )
})
