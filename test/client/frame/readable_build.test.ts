// Whoever reads the readable build learns what the small one does: both say the same of the same files.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { READABLE_FILE } from '../../../server/client/build.ts'
import { writeEvidence } from '../../../shared/evidence/evidence.ts'
import { itemBundle, ownKeyring, vectorBundle, vectorKeyring } from '../bundles.ts'
import { contentOf, folderBundle, folderManifest, folderReceipt } from '../folder_evidence.ts'
import { ATTESTED, file as otsFile, PENDING, STEPS } from '../ots_files.ts'
import { type Desk, openDesk } from '../run_pharos.ts'

const ITEM = vectorBundle('item')
const evidence = { ...folderReceipt(), bundle: folderBundle }

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'own.json': ownKeyring,
  'vectors.json': vectorKeyring,
  'item.json': ITEM.json,
  'item.cbor': ITEM.cbor,
  'item.b64': ITEM.base64,
  'compact.json': ITEM.compact,
  'block.json': vectorBundle('block').json,
  'changed.json': ITEM.json.replace('report', 'rep0rt'),
  'known.json': itemBundle({ name: 'Paper', hash: '00'.repeat(32), hash_type: 'sha256' }),
  'broken.json': ITEM.json.slice(0, -20),
  'receipt.pharos': writeEvidence(folderReceipt()),
  'c.txt.pharos': writeEvidence(evidence),
  'folder.pharos': folderManifest({ bundle: folderBundle }),
  'exchanged.pharos': folderManifest({ bundle: folderBundle }).replace('d.txt', 'e.txt'),
  'pending.ots': otsFile(`${STEPS}${PENDING}`),
  'attested.ots': otsFile(`${STEPS}${ATTESTED}`),
  'c.txt': contentOf('b/c.txt'),
  'other.txt': contentOf('other'),
}

const CASES: readonly (readonly string[])[] = [
  ...Object.keys(FILES).map((name) => ['verify', '--offline', '--keyring', 'own.json', name]),
  ...['item.json', 'item.cbor', 'compact.json', 'block.json', 'changed.json'].flatMap((name) => [
    ['verify', '--offline', '--keyring', 'vectors.json', name],
    ['verify', '--offline', '--keyring', 'vectors.json', name, '--json'],
  ]),
  ['verify', '--offline', '--keyring', 'own.json', 'c.txt.pharos', '--file', 'c.txt'],
  ['verify', '--offline', '--keyring', 'own.json', 'c.txt.pharos', '--file', 'other.txt', '--json'],
  ['verify', '--offline', 'c.txt.pharos', '--any-key'],
  ['audit', '--from', '.'],
  ['no-such-command'],
  ['help', '--json'],
]

let small: Desk
let readable: Desk
beforeAll(async () => {
  ;[small, readable] = await Promise.all([openDesk(), openDesk(READABLE_FILE)])
  for (const [name, content] of Object.entries(FILES))
    await Promise.all([small.put(name, content), readable.put(name, content)])
})
afterAll(() => Promise.all([small.clear(), readable.clear()]))

it('both builds end with the same code and say the same', { timeout: 240_000 }, async () => {
  const codes = new Set<number | null>()
  for (const args of CASES) {
    const [one, other] = await Promise.all([small.pharos(args), readable.pharos(args)])
    expect(other, args.join(' ')).toEqual(one)
    codes.add(one.code)
  }
  expect([...codes].sort()).toEqual([0, 1, 2, 3])
})
