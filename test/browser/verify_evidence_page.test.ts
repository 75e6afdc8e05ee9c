// The verifier page with evidence files and manifests: known by what is in them, with the file that they are about, without an
// account, and without sending anything.
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeEvidence } from '../../shared/evidence/evidence.ts'
import { ownKeyring, vectorBundle } from '../client/bundles.ts'
import {
  contentOf,
  folderBundle,
  folderItemId,
  folderManifest,
  folderReceipt,
  mixedManifest,
} from '../client/folder_evidence.ts'
import { ATTESTED, DATA, file, HEIGHT, PENDING, ROOT, STEPS } from '../client/ots_files.ts'
import { consoleTab } from '../support/console_tab.ts'
import { makeMemoryFolder } from '../support/temporary_folder.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page, picture } = consoleTab(app)
let sent: Request[]
beforeEach(() => {
  sent = []
  page().on('request', (request) => sent.push(request))
})

const whole = (): string => writeEvidence({ ...folderReceipt(), bundle: folderBundle })
const verdict = () => page().getByTestId('verdict')
const verdictIs = (expected: string) =>
  expect.poll(() => verdict().getAttribute('data-verdict')).toBe(expected)
const verdictText = () => verdict().innerText()
const report = () => page().getByTestId('report').innerText()

const given = (name: string, content: string | Uint8Array) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})
const hashed = (name: string, content: string) => createHash(name).update(content).digest('hex')
const give = (...files: readonly ReturnType<typeof given>[]) =>
  page().getByTestId('proof-file').setInputFiles(files)
const compare = (content: string) =>
  page()
    .getByTestId('data-file')
    .setInputFiles([given('file', content)])
const clear = () => page().getByTestId('proof-clear').click()

const open = async () => {
  await page().goto('/verify')
  await page().getByText('Trust another service').click()
  await page()
    .getByTestId('keyring-file')
    .setInputFiles([given('keyring.json', ownKeyring)])
  await expect.poll(() => page().getByTestId('keyrings').innerText()).toContain('added by you')
}

describe('the verifier page, given evidence', () => {
  it('says that it is valid, with its rows and those of its bundle, and sends nothing', async () => {
    await open()
    const before = sent.length
    await give(given('c.txt.pharos', whole()))
    await verdictIs('valid')
    const rows = await report()
    for (const name of [
      'The digest of the file',
      'The path to what the item claims',
      'The item’s signature',
      'The proof bundle in it',
      'The path to the block’s root',
      'The path to the epoch’s root',
    ])
      expect(rows).toContain(name)
    expect(rows).toContain('The path leads from the digest (1 of 4) to the root that the item claims.')
    expect(await verdictText()).toContain('c.txt')
    expect(await verdictText()).toMatch(/in the block finalized \d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC, and/)
    expect(await verdictText()).toContain(folderItemId)
    expect(await page().getByTestId('reservations').innerText()).toContain('No file was compared')
    await picture('verify_evidence')
    await compare(contentOf('b/c.txt'))
    await expect.poll(report).toContain('The file has the sha256 digest that this is about.')
    await verdictIs('valid')
    expect(
      sent.slice(before).filter((request) => !new URL(request.url()).pathname.startsWith('/assets/')),
    ).toEqual([])
  })

  it('compares the file that is given together with it, in any order', async () => {
    await open()
    for (const files of [
      [given('c.txt.pharos', whole()), given('c.txt', contentOf('b/c.txt'))],
      [given('c.txt', contentOf('b/c.txt')), given('c.txt.pharos', whole())],
    ]) {
      await give(...files)
      await expect.poll(report).toContain('The file has the sha256 digest that this is about.')
      await verdictIs('valid')
      await clear()
    }
    await give(given('d.txt', contentOf('d.txt')), given('c.txt.pharos', whole()))
    await verdictIs('not_valid')
    expect(await verdictText()).toContain('Failed: the digest of the file.')
  })

  it('says of a receipt that it is not yet more, in words', async () => {
    await open()
    await give(given('c.txt.pharos', writeEvidence(folderReceipt())))
    await verdictIs('not_yet')
    const text = await verdictText()
    expect(text).toMatch(/^Not yet$/m)
    expect(text).toContain('The service accepted this at 1 January 2027, 00:00:00 UTC')
    expect(text).toContain('Keep this file')
    await picture('verify_receipt')
  })

  it('calls nobody’s word valid, and fails what was changed', async () => {
    await page().goto('/verify')
    await give(given('c.txt.pharos', whole()))
    await verdictIs('key_open')
    expect((await verdictText()).toLowerCase()).toContain('names key, as claimed')
    expect((await verdictText()).toLowerCase()).not.toContain('signed by key')
    await open()
    await give(given('c.txt.pharos', whole().replace('"index":1', '"index":2')))
    await verdictIs('not_valid')
    expect(await verdictText()).toContain('Failed: the path to what the item claims.')
    expect((await verdictText()).toLowerCase()).toContain('accepted, as claimed')
  })

  it('finds the file in a manifest, and says when it is none of it', async () => {
    await open()
    await give(given('folder.pharos', folderManifest({ bundle: folderBundle })))
    await verdictIs('valid')
    expect((await verdictText()).toLowerCase()).toContain('manifest of 3 files')
    await compare(contentOf('b/c.txt'))
    await expect.poll(verdictText).toContain('b/c.txt')
    await verdictIs('valid')
    await page().getByTestId('file-hash').getByRole('button', { name: 'Remove' }).click()
    await compare('another')
    await verdictIs('not_valid')
    expect(await report()).toContain('The file is none of the 3 that this manifest lists.')
    await clear()
    await give(given('folder.pharos', folderManifest({ bundle: folderBundle }).replace('"a.txt"', '"x.txt"')))
    await verdictIs('not_valid')
    expect(await verdictText()).toContain('Failed: the path to what the item claims.')
  })

  it('finds the file in a manifest by whichever hash function its entry has, and by a digest of any', async () => {
    await open()
    await give(given('mixed.pharos', mixedManifest()))
    await verdictIs('valid')
    for (const [path, type] of [
      ['a.txt', 'sha256'],
      ['b.txt', 'sha3_512'],
      ['c.txt', 'blake2b'],
    ] as const) {
      await compare(contentOf(path))
      await expect.poll(report).toContain(`The file has the ${type} digest that this is about.`)
      expect(await verdictText()).toContain(path)
      expect(await page().getByTestId('file-hash-hex').count()).toBe(3)
      await page().getByTestId('file-hash').getByRole('button', { name: 'Remove' }).click()
    }
    await page().getByText('Compare a digest instead').click()
    await page()
      .getByTestId('expected-hash')
      .fill(hashed('sha3-512', contentOf('b.txt')))
    await expect.poll(verdictText).toContain('b.txt')
    await page()
      .getByTestId('expected-hash')
      .fill(hashed('sha256', contentOf('b.txt')))
    await verdictIs('not_valid')
  })

  it('says in words when a manifest is gone before the file is looked for in it', async () => {
    await open()
    const folder = await makeMemoryFolder('pharos-page-')
    try {
      const path = join(folder, 'folder.pharos')
      await writeFile(path, folderManifest({ bundle: folderBundle }))
      await page().getByTestId('proof-file').setInputFiles(path)
      await verdictIs('valid')
      await rm(path)
      await compare(contentOf('b/c.txt'))
      await expect
        .poll(() => page().getByTestId('proof-problem').innerText())
        .toContain('It could not be read.')
      expect(await verdict().count()).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('knows each by what is in it, whatever it is called', async () => {
    await open()
    for (const [name, content, words] of [
      ['proof.json', whole(), /^Valid$/m],
      ['film.mp4', folderManifest(), /^Not yet$/m],
      ['bundle.pharos', JSON.stringify(folderBundle), /^Valid$/m],
      ['evidence.ots', writeEvidence(folderReceipt()), /^Not yet$/m],
      ['vector.pharos', vectorBundle('item').cbor, /whose key is it/i],
    ] as const) {
      await give(given(name, content))
      await expect.poll(verdictText, { message: name }).toMatch(words)
      await clear()
    }
  })

  it('leads an .ots file to what Bitcoin must say, and says yes or no when that is entered', async () => {
    await open()
    const before = sent.length
    await give(given('paper.json', file(STEPS + ATTESTED)), given('paper.txt', DATA))
    await verdictIs('not_asked')
    await expect.poll(report).toContain('The file has the sha256 digest that this is about.')
    expect((await verdictText()).toLowerCase()).toContain(`block ${HEIGHT}, not confirmed, must have`)
    const root = page().getByLabel(`Merkle root of Bitcoin block ${HEIGHT}`)
    const card = page().locator('section', { has: root })
    expect(await card.innerText()).not.toContain(ROOT)
    expect(await card.getByRole('button').count()).toBe(0)
    await picture('verify_ots')
    await root.fill(ROOT.replace(/^./, 'z'))
    await verdictIs('not_valid')
    await root.fill(` ${ROOT.toUpperCase()}`)
    await verdictIs('valid')
    expect(await verdictText()).toContain(
      `was there when Bitcoin block ${HEIGHT} was made, if it has the Merkle root that was entered.`,
    )
    expect(await page().getByTestId('reservations').innerText()).toContain(
      'came from you, and nobody was asked',
    )
    await clear()
    await give(given('paper.ots', file(STEPS + PENDING)))
    await verdictIs('not_yet')
    expect(await report()).toContain('https://calendar.example.com/calendar/')
    await clear()
    await give(given('paper.ots', file(STEPS + ATTESTED).subarray(0, -1)))
    await expect.poll(() => page().getByTestId('proof-problem').innerText()).toContain('end too early')
    expect(
      sent.slice(before).filter((request) => !new URL(request.url()).pathname.startsWith('/assets/')),
    ).toEqual([])
  })

  it('says in words why evidence cannot be read', async () => {
    await open()
    const problem = () => page().getByTestId('proof-problem').innerText()
    for (const [content, words] of [
      ['{"pharos_evidence":2}', 'of a version that this program does not know'],
      [folderManifest().split('\n').slice(0, 2).join('\n'), 'ends after 1 entries'],
      [whole().slice(0, -9), 'cut short'],
      [new Uint8Array(5_000_000), 'larger than any proof'],
    ] as const) {
      await give(given('c.txt.pharos', content))
      await expect.poll(problem).toContain(words)
      await clear()
    }
  })
})
