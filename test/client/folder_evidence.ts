// A folder of three files that one item stands for: its manifest, the receipt of its second file, and a proof of the item.
import { createHash } from 'node:crypto'
import { receiptOf, writeEvidence } from '../../shared/evidence/evidence.ts'
import { headerDocument, writeEntry } from '../../shared/evidence/manifest.ts'
import { type ManifestEntry, ManifestTree } from '../../shared/evidence/manifest_tree.ts'
import type { HashType } from '../../shared/proof/claims.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { treeClaims } from '../evidence/known_evidence.ts'
import { itemBundle, ownItem } from './bundles.ts'

export const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

/** What is in the file. */
export const contentOf = (path: string): string => `in ${path}`

export const entryOf = (path: string): ManifestEntry => ({
  path,
  entry: { type: 'sha256', value: sha256(contentOf(path)), salt: sha256(path).subarray(0, 16) },
})
const SECOND = entryOf('b/c.txt')
const NAMES_SALT = new Uint8Array(16)

/** One item for all entries, with its proof. */
function folderOf(entries: readonly ManifestEntry[]) {
  const gathered = new ManifestTree()
  for (const entry of entries) gathered.add(entry)
  const { tree } = gathered.close(NAMES_SALT)
  const claims = treeClaims(tree.root, tree.size)
  const bundle: JsonObject = JSON.parse(itemBundle(claims))
  return { entries, tree, claims, bundle, item: ownItem(bundle) }
}

const manifestOf = (
  { entries, tree, item }: ReturnType<typeof folderOf>,
  more: JsonObject,
  service = item.service,
): string =>
  [
    writeEvidence({
      ...headerDocument({
        size: tree.size,
        namesSalt: NAMES_SALT,
        above: [],
        item: { ...item, service },
      }),
      ...more,
    }),
    ...entries.map(writeEntry),
  ].join('')

const FOLDER = folderOf([entryOf('a.txt'), SECOND, entryOf('d.txt')])
export const { tree: folderTree, claims: folderClaims, bundle: folderBundle } = FOLDER
export const folderItemId = FOLDER.item.id

export const folderReceipt = (service = FOLDER.item.service): JsonObject =>
  receiptOf({
    digest: SECOND.entry,
    name: 'c.txt',
    trees: [{ size: folderTree.size, index: 1, salt: SECOND.entry.salt, path: folderTree.path(1) }],
    item: { ...FOLDER.item, service },
  })

export const folderManifest = (more: JsonObject = {}, service?: string): string =>
  manifestOf(FOLDER, more, service)

/** Of an item for all of these, with its proof. */
export function manifestAbout(entries: readonly ManifestEntry[]): string {
  const about = folderOf(entries)
  return manifestOf(about, { bundle: about.bundle })
}

/** With digests of `a.txt` by sha256, `b.txt` by sha3_512 and `c.txt` by blake2b. */
export function mixedManifest(): string {
  const entryBy = (path: string, type: HashType, name: string): ManifestEntry => ({
    path,
    entry: { type, value: new Uint8Array(createHash(name).update(contentOf(path)).digest()) },
  })
  const mixed = folderOf([
    entryBy('a.txt', 'sha256', 'sha256'),
    entryBy('b.txt', 'sha3_512', 'sha3-512'),
    entryBy('c.txt', 'blake2b', 'blake2b512'),
  ])
  return manifestOf(mixed, { bundle: mixed.bundle })
}
