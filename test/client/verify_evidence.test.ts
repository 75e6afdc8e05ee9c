// `pharos verify` of evidence files and manifests, as one file alone in a folder: told apart by what is in them, offline.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeEvidence } from '../../shared/evidence/evidence.ts'
import type { JsonObject } from '../../shared/proof/json_value.ts'
import { ownKeyring, vectorKeyring } from './bundles.ts'
import {
  contentOf,
  folderBundle,
  folderItemId,
  folderManifest,
  folderReceipt,
  sha256,
} from './folder_evidence.ts'
import { expectMembers } from './frame/json_members.ts'
import { type Desk, openDesk } from './run_pharos.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
  await desk.put('keyring.json', ownKeyring)
  await desk.put('other.json', vectorKeyring)
  await desk.put('receipt.pharos', writeEvidence(folderReceipt()))
  await desk.put('c.txt.pharos', writeEvidence({ ...folderReceipt(), bundle: folderBundle }))
  await desk.put('folder.pharos', folderManifest({ bundle: folderBundle }))
  await desk.put('c.txt', contentOf('b/c.txt'))
  await desk.put('d.txt', contentOf('d.txt'))
})
afterAll(() => desk.clear())

const verify = (...args: string[]) =>
  desk.pharos(['verify', '--offline', '--keyring', 'keyring.json', ...args])

describe('pharos verify', { timeout: 120_000 }, () => {
  it('says that evidence with a valid bundle is valid for its file, and for no other', async () => {
    const own = await verify('c.txt.pharos', '--file', 'c.txt')
    expect(own).toMatchObject({ code: 0, out: expect.stringMatching(/^Valid$/m) })
    const other = await verify('c.txt.pharos', '--file', 'd.txt')
    expect(other).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Not valid\n {2}Failed: the digest of the file\.$/m),
    })
    const hex = Buffer.from(sha256(contentOf('b/c.txt'))).toString('hex')
    expect(await verify('c.txt.pharos', '--expected-hash', hex)).toMatchObject({ code: 0 })
    expect(await verify('c.txt.pharos', '--expected-hash', 'what')).toMatchObject({ code: 1 })
  })

  it('says of a receipt that it is not yet more, and ends with 3', async () => {
    const { code, out } = await verify('receipt.pharos')
    expect(code).toBe(3)
    expect(out).toMatch(
      /^Not yet\n {2}The service accepted this at 2027-01-01 00:00:00 UTC and signed that by key/m,
    )
  })

  it('counts nobody’s word when no keyring has the key', async () => {
    const unknown = (...args: string[]) =>
      desk.pharos(['verify', '--offline', '--keyring', 'other.json', ...args])
    for (const name of ['receipt.pharos', 'c.txt.pharos', 'folder.pharos'])
      expect(await unknown(name)).toMatchObject({ code: 1, out: expect.stringContaining('whose key is it?') })
    for (const name of ['c.txt.pharos', 'folder.pharos'])
      expect(await unknown(name, '--any-key')).toMatchObject({ code: 0 })
  })

  it('never counts a receipt as valid by any key, and says that its signature was not checked', async () => {
    await desk.put('receipts.pharos', folderManifest())
    for (const name of ['receipt.pharos', 'receipts.pharos']) {
      const { code, out } = await desk.pharos(['verify', name, '--offline', '--any-key'])
      expect([code, out]).toEqual([3, expect.stringContaining('Counted as not yet because of --any-key.')])
      expect(out).toMatch(
        / {2}Every hash and path fits\. The signature of the item, by key [0-9a-f]{8}, was not/,
      )
      expect(out).not.toContain('signature fits')
    }
  })

  it('calls nothing valid in which the item names another key than its bundle, or is signed by nobody', async () => {
    const receipt = folderReceipt()
    const item = receipt.item as JsonObject
    const nobody = { signing_key_id: 'aaaaaaaa', signature: Buffer.alloc(64, 7).toString('base64') }
    await desk.put(
      'nobody.pharos',
      writeEvidence({ ...receipt, item: { ...item, ...nobody }, bundle: folderBundle }),
    )
    expect(await verify('nobody.pharos', '--file', 'c.txt')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Not valid\n {2}Failed: the proof bundle in it\.$/m),
    })
  })

  it('says once that no file was compared, and nothing of it when one was', async () => {
    const bare = await verify('c.txt.pharos')
    expect(bare.out.match(/^ {2}! No file was compared.*$/gm)).toHaveLength(1)
    const compared = await verify('c.txt.pharos', '--file', 'c.txt')
    expect(compared).toMatchObject({ code: 0, out: expect.not.stringContaining('No file was compared') })
    const { bundle } = JSON.parse((await verify('c.txt.pharos', '--json')).out)
    expect(bundle).toMatchObject({ expected_hash_provided: false, hash_matched: false, hash_provided: null })
  })

  it('reads a manifest to its end, and says when a name or a digest was exchanged', async () => {
    const { code, out } = await verify('folder.pharos')
    expect([code, out]).toEqual([0, expect.stringMatching(/^Manifest of 3 files$/m)])
    await desk.put('exchanged.pharos', folderManifest({ bundle: folderBundle }).replace('"a.txt"', '"x.txt"'))
    expect(await verify('exchanged.pharos')).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Not valid\n {2}Failed: the path to what the item claims\.$/m),
    })
    expect(await verify('folder.pharos', '--file', 'c.txt')).toMatchObject({
      code: 2,
      err: expect.stringContaining('about many files'),
    })
  })

  it('reads them from standard input too', async () => {
    for (const text of [folderManifest(), writeEvidence(folderReceipt())])
      expect(
        await desk.pharos(['verify', '-', '--offline', '--keyring', 'keyring.json'], { input: text }),
      ).toMatchObject({ code: 3 })
  })

  it.each([
    ['cut', writeEvidence(folderReceipt()).slice(0, -10), 'neither evidence nor a proof bundle'],
    ['of another version', '{"pharos_evidence":2}', 'of a version that this program does not know'],
    ['a manifest that is cut', folderManifest().split('\n').slice(0, 2).join('\n'), 'ends after 1 entries'],
    ['too large', ' '.repeat(4_194_305), 'is larger than 4096 KiB'],
  ])('evidence that is %s cannot be read, and ends with 2', async (_, text, words) => {
    await desk.put('broken.pharos', text)
    expect(await verify('broken.pharos')).toMatchObject({ code: 2, err: expect.stringContaining(words) })
  })

  it('prints the verdict, its rows and the report of the bundle as JSON', async () => {
    const { code, out } = await verify('c.txt.pharos', '--json', '--file', join('.', 'c.txt'))
    expect(code).toBe(0)
    expectMembers('verify evidence', JSON.parse(out))
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'valid',
      item_id: folderItemId,
      rows: expect.arrayContaining([expect.objectContaining({ group: 'Trees', status: 'pass' })]),
      bundle: { passed: true },
    })
  })
})
