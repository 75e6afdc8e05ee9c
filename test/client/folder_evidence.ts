// A folder of three files that one item stands for: its manifest, the receipt of its second file, and a proof of the item.
import { createHash } from 'node:crypto'
import { receiptOf } from '../../shared/evidence/evidence.ts'
import {
  headerDocument,
  type ManifestEntry,
  ManifestTree,
  writeEntry,
  writeManifestHeader,
} from '../../shared/evidence/manifest.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { treeClaims } from '../evidence/known_evidence.ts'
import { itemBundle, ownItem } from './bundles.ts'

export const sha256 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())

/** What is in the file. */
export const contentOf = (path: string): string => `in ${path}`

const entryOf = (path: string): ManifestEntry => ({
  path,
  entry: { type: 'sha256', value: sha256(contentOf(path)), salt: sha256(path).subarray(0, 16) },
})
const SECOND = entryOf('b/c.txt')
const entries = [entryOf('a.txt'), SECOND, entryOf('d.txt')]
const NAMES_SALT = new Uint8Array(16)

const gathered = new ManifestTree()
for (const entry of entries) gathered.add(entry)
export const { tree: folderTree } = gathered.close(NAMES_SALT)

export const folderClaims: JsonObject = treeClaims(folderTree.root, folderTree.size)
export const folderBundle: JsonObject = JSON.parse(itemBundle(folderClaims))
const item = ownItem(folderBundle)
export const folderItemId = item.id

export const folderReceipt = (service = item.service): JsonObject =>
  receiptOf({
    digest: SECOND.entry,
    name: 'c.txt',
    trees: [{ size: folderTree.size, index: 1, salt: SECOND.entry.salt, path: folderTree.path(1) }],
    item: { ...item, service },
  })

export const folderManifest = (more: JsonObject = {}, service = item.service): string =>
  [
    writeManifestHeader({
      ...headerDocument({
        size: folderTree.size,
        namesSalt: NAMES_SALT,
        above: [],
        item: { ...item, service },
      }),
      ...more,
    }),
    ...entries.map(writeEntry),
  ].join('')
