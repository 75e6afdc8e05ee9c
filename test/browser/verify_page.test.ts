// The verifier in a real browser: without an account, without sending anything, against proofs whose answer is known.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BUILT_FILE } from '../../server/client/build.ts'
import { HASH_TYPES, isHashType } from '../../shared/proof/claims.ts'
import { startDigest } from '../../shared/verifier/digest.ts'
import { itemBundle, ownKeyring, vectorBundle, vectorKeyring } from '../client/bundles.ts'
import { signIn } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { writeLarge } from '../support/large_file.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page, picture } = consoleTab(app)
let folder: string
let sent: Request[]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-verify-page-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  sent = []
  page().on('request', (request) => sent.push(request))
})

const verdict = () => page().getByTestId('verdict')
const verdictText = () => verdict().innerText()

const open = async (path = '/verify') => {
  await page().goto(path)
  await page().getByTestId('proof-file').waitFor({ state: 'attached' })
}

const give = async (content: string | Uint8Array, name = 'proof.json') => {
  await page()
    .getByTestId('proof-file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
}

const trust = async (keyring: string) => {
  await page().getByText('Trust another service').click()
  await page()
    .getByTestId('keyring-file')
    .setInputFiles({ name: 'keyring.json', mimeType: 'application/json', buffer: Buffer.from(keyring) })
  await expect.poll(() => page().getByTestId('keyrings').innerText()).toContain('added by you')
}

describe('the verifier page', () => {
  it('works signed out, and nothing of the proof or of the file leaves it', async () => {
    await open()
    await picture('verify_empty')
    // The page asks for the keys of its service by itself.
    await expect.poll(() => page().getByTestId('keyrings').innerText()).toContain('this service ·')
    const { json, base64 } = vectorBundle('item')
    const before = sent.length
    await give(json)
    await expect.poll(verdictText).toMatch(/whose key is it/i)
    expect(await verdict().getAttribute('data-verdict')).toBe('key_open')
    await trust(vectorKeyring)
    await expect.poll(() => verdict().getAttribute('data-verdict')).toBe('valid')
    await page()
      .getByTestId('data-file')
      .setInputFiles({
        name: 'secret.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('not the file'),
      })
    await expect.poll(() => verdict().getAttribute('data-verdict')).toBe('invalid')
    await page().getByTestId('proof-clear').click()
    await page().getByText('Paste it instead').click()
    await page().getByTestId('proof-text').fill(base64)
    await page().getByTestId('proof-paste').click()
    await expect.poll(() => verdict().getAttribute('data-verdict')).toBe('valid')
    const during = sent.slice(before)
    // The script that hashes away from the page's thread is part of the page.
    expect(during.filter((request) => !new URL(request.url()).pathname.startsWith('/assets/'))).toEqual([])
    expect(during.filter((request) => request.method() !== 'GET')).toEqual([])
    expect(sent.filter((request) => request.url().includes('01MB78W7FGY7TZHKNWE7WA3Z57'))).toEqual([])
  })

  it('shows every step with its rows, and says what was not checked', async () => {
    await open()
    await trust(vectorKeyring)
    await give(vectorBundle('item').json)
    await expect.poll(() => page().getByTestId('report-group').count()).toBe(18)
    const report = await page().getByTestId('report').innerText()
    for (const name of [
      'The path to the block’s root',
      'The path to the epoch’s root',
      'Whose key it is',
      'What the service had seen',
      'The latest possible moment',
    ])
      expect(report).toContain(name)
    const reservations = await page().getByTestId('reservations').innerText()
    expect(reservations).toMatch(/development chain/)
    expect(reservations).toMatch(/public chains were not asked/)
    expect(reservations).toMatch(/No file was compared/)
    await picture('verify_valid')
    await page().getByTestId('theme').click()
    await picture('verify_valid_dark')
  })

  it('fails a proof in which one character was changed', async () => {
    await open()
    await trust(vectorKeyring)
    await give(vectorBundle('item').json.replace('report', 'rep0rt'))
    await expect.poll(() => verdict().getAttribute('data-verdict')).toBe('invalid')
    const text = await verdictText()
    expect(text).toContain('Failed: the path to the block’s root')
    for (const name of ['submitted', 'in block', 'names key', 'item'])
      expect(text.toLowerCase()).toMatch(new RegExp(`^${name}.*, as claimed$`, 'm'))
    expect(text).not.toMatch(/signed by key/i)
    await picture('verify_invalid')
  })

  it('takes CBOR, and says in words when something is no proof', async () => {
    await open()
    await give('Lorem ipsum', 'words.txt')
    await expect.poll(() => page().getByTestId('proof-problem').innerText()).toMatch(/not a proof/i)
    await page().getByTestId('proof-clear').click()
    await give(new Uint8Array(2_000_000), 'film.bin')
    await expect.poll(() => page().getByTestId('proof-problem').innerText()).toMatch(/larger/i)
    await page().getByTestId('proof-clear').click()
    await trust(vectorKeyring)
    await give(vectorBundle('beacon').cbor, 'beacon.cbor')
    await expect.poll(() => verdict().getAttribute('data-verdict')).toBe('valid')
  })

  it('hashes a local file by each of the twelve functions', async () => {
    const data = Buffer.from('What was on the paper.\n')
    await open()
    await trust(ownKeyring)
    for (const type of Object.keys(HASH_TYPES).filter(isHashType)) {
      const digest = startDigest(type)
      digest.update(data)
      const hash = Buffer.from(digest.digest()).toString('hex')
      await give(itemBundle({ name: 'Paper', hash, hash_type: type }), `${type}.json`)
      await page()
        .getByTestId('data-file')
        .setInputFiles({ name: 'paper.txt', mimeType: 'text/plain', buffer: data })
      await expect.poll(() => page().getByTestId('file-hash-hex').innerText()).toBe(hash)
      await expect.poll(() => page().getByTestId('report').innerText()).not.toContain('no expected hash')
      expect(await verdict().getAttribute('data-verdict'), type).toBe('valid')
      await page().getByTestId('proof-clear').click()
    }
  })

  it('stays alive while it hashes a large file, and stops when asked', async () => {
    const large = join(folder, 'large.bin')
    await writeLarge(large)
    await open()
    await trust(ownKeyring)
    await give(itemBundle({ name: 'Large', hash: 'ab'.repeat(64), hash_type: 'sha3_512' }))
    await page().getByTestId('data-file').setInputFiles(large)
    const progress = page().locator('.file-hash progress')
    await progress.waitFor()
    await expect.poll(() => progress.getAttribute('value').then(Number)).toBeGreaterThan(0)
    await picture('verify_hashing')
    await page().getByTestId('file-hash').getByRole('button', { name: 'Cancel' }).click()
    await page().getByTestId('data-file').waitFor({ state: 'attached' })
    expect(await progress.count()).toBe(0)
  })

  it('offers the verifier itself, byte for byte, and the line that runs it', async () => {
    await open()
    await give(vectorBundle('item').json, 'pharos-item.json')
    await verdict().waitFor()
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByTestId('download-verifier').click(),
    ])
    expect(download.suggestedFilename()).toBe('pharos.mjs')
    const path = join(folder, 'pharos.mjs')
    await download.saveAs(path)
    expect((await readFile(path)).equals(await readFile(BUILT_FILE))).toBe(true)
    expect(await page().getByTestId('verify-command').innerText()).toMatch(
      /^node pharos\.mjs verify pharos-item\.json --keyring keyring\.json --offline$/,
    )
  })

  it('offers to sign in, or to fetch, when the address names a subject', async () => {
    await open('/verify/item/01MB78W7FGY7TZHKNWE7WA3Z57')
    await expect.poll(() => page().locator('main').innerText()).toMatch(/sign in/)
    await signIn(page(), app.owner.key)
    await open('/verify/item/01MB78W7FGY7TZHKNWE7WA3Z57')
    await page().getByTestId('fetch-proof').click()
    await expect.poll(() => page().getByRole('alert').innerText()).not.toBe('')
  })

  it('fits a narrow screen', async () => {
    await page().setViewportSize({ width: 390, height: 844 })
    await open()
    await give(vectorBundle('item').json)
    await verdict().waitFor()
    expect(await page().evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await page().goto('/verify/item/01MB78W7FGY7TZHKNWE7WA3Z57')
    await expect.poll(() => page().locator('main').innerText()).toMatch(/With the file at hand/)
    expect(await page().evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await picture('verify_narrow')
  })
})
