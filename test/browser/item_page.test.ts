// From a file on this computer to a proof that verifies while the service is stopped, in a real browser.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordObservation } from '../../server/domain/ledger/observation.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { type Desk, openDesk } from '../client/run_pharos.ts'
import { commitBlocks, STELLAR } from '../domain/proofs/seed_commitment.ts'
import { turnTo } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { ask } from '../support/http.ts'
import { makeResource } from '../support/make_resource.ts'
import { readOts } from '../support/ots_reader.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page, account, openTab, picture } = consoleTab(app, { keyOf: 'newcomer' })
let desk: Desk
beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk?.clear())

const data = Buffer.from('What was on the paper.\n')
const digest = createHash('sha256').update(data).digest('hex')

const stage = () => page().getByTestId('proof-panel').getAttribute('data-stage')

const submit = (claims: object) => makeResource(app, 'item', { claims }, account().key)

const claims = { name: 'Paper', hash: digest, hash_type: 'sha256' }

const downloaded = async (testId: string): Promise<Download> => {
  const [download] = await Promise.all([page().waitForEvent('download'), page().getByTestId(testId).click()])
  return download
}

const onDesk = async (testId: string): Promise<string> => {
  const download = await downloaded(testId)
  await download.saveAs(join(desk.folder, download.suggestedFilename()))
  return download.suggestedFilename()
}

describe('items in the console', () => {
  it('are said to be on a chain only once that was read', async () => {
    const id = await submit(claims)
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const held = Promise.withResolvers<void>()
    await page().route('**/api/json/blocks/*?include=*', async (route) => {
      await held.promise
      await route.fulfill({ status: 403, body: '{"errors":[{"status":"403","code":"forbidden"}]}' })
    })
    await page().goto(`/items/${id}`)
    const way = () => page().getByTestId('timeline').innerText()
    await expect.poll(way).toContain('Reading on which one…')
    held.resolve()
    await expect.poll(way).toContain('On which one could not be read.')
    expect(await way()).not.toMatch(/development|Bitcoin|Anybody/)
  })

  it('have the name that they have, and not what it is made to look like', async () => {
    const id = await submit({ ...claims, name: 'invoice\u202efdp.exe' })
    await page().goto(`/items/${id}`)
    await expect.poll(() => page().locator('h1').innerText()).toBe('invoice<U+202E>fdp.exe')
    expect(await page().title()).toBe('invoice<U+202E>fdp.exe · Pharos')
    expect(await page().getByTestId('claims').innerText()).toContain('<U+202E>')
  })

  it('are not submitted before they claim something', async () => {
    await page().goto('/items/new')
    await page().getByTestId('submit-item').click()
    const form = () => page().locator('form').innerText()
    await expect.poll(form).toMatch(/Drop or choose a file/)
    await page().getByRole('button', { name: 'A text' }).click()
    await page().getByRole('button', { name: 'The text itself' }).click()
    await page().getByTestId('field-text').fill('Too short.')
    await expect.poll(form).toMatch(/Give it a name[\s\S]*at least 32 characters/)
    await page().getByTestId('field-name').fill('A thought')
    await page().getByTestId('field-text').fill('That this was thought before it was shown to anybody.')
    expect(await page().getByTestId('outgoing').innerText()).toContain(
      '"description": "That this was thought',
    )
    await page().getByTestId('submit-item').click()
    await expect.poll(stage).toBe('no_block')
  })

  it('tell what is still missing, live, and lead to their verification once there is a proof', async () => {
    const id = await submit(claims)
    await page().goto(`/items/${id}`)
    const missing = () => page().getByTestId('timeline').innerText()
    await expect.poll(missing).toMatch(/The next block/)
    expect(await page().getByTestId('safe-already').innerText()).toMatch(
      /^Safe already: signed at \d\d:\d\d:\d\d UTC\. You may close this page\.$/,
    )
    await app.finalize()
    await expect.poll(missing).toMatch(/In block \d+/)
    await commitBlocks({ em: app.store.em() })
    await expect.poll(stage).toBe('ready')
    await page().getByText('More about it').click()
    expect(await page().getByTestId('verify-link').innerText()).toBe(`${app.base}/verify/item/${id}`)
    await page().getByTestId('show-qr').click()
    await page().getByTestId('proof-panel').getByTestId('qr-code').waitFor()
    expect(await page().getByTestId('proof-panel').innerText()).toMatch(/this computer only/)
    await page().goto(`/verify/item/${id}`)
    await page().getByTestId('fetch-proof').click()
    await expect.poll(() => page().getByTestId('verdict').getAttribute('data-verdict')).toBe('valid')
  })

  it('are changed by whoever may, and their claims erased only after a question', async () => {
    const id = await submit(claims)
    await page().goto(`/items/${id}`)
    const changes = page().getByTestId('item-changes')
    await changes.getByRole('button', { name: 'Everybody' }).click()
    await page().getByTestId('change-tags').fill('letters, kept')
    await page().getByTestId('change-expiry').fill('2099-01-01T12:30')
    await page().getByTestId('save-item').click()
    await expect.poll(() => changes.getByTestId('form-outcome').innerText()).toBe('Saved.')
    const main = () => page().locator('main').innerText()
    await expect.poll(main).toMatch(/public: anybody[\s\S]*letters[\s\S]*2099-01-01 12:30/)

    await page().getByTestId('erase').click()
    expect(await page().getByTestId('confirm').innerText()).toMatch(/No new proof can be made without them/)
    await page().keyboard.press('Escape')
    expect(await page().getByTestId('claims').innerText()).toContain(digest)
    await page().getByTestId('erase').click()
    await page().getByTestId('erase-sure').click()
    await page().getByTestId('redacted').waitFor()
    await page()
      .getByTestId('given-claims')
      .fill(JSON.stringify({ ...claims, name: 'Another' }))
    await page().getByTestId('restore').click()
    await expect.poll(() => changes.innerText()).toContain('These are other claims')
    await page().getByTestId('given-claims').fill(JSON.stringify(claims))
    await page().getByTestId('restore').click()
    await expect.poll(() => page().getByTestId('claims').innerText()).toContain(digest)

    const other = await openTab({ account: await app.account('stranger') })
    await other.goto(`/items/${id}`)
    await other.getByTestId('claims').waitFor()
    expect(await other.getByTestId('item-changes').count()).toBe(0)
  })

  it('say so when they were redacted, and when they are not there', async () => {
    const id = await submit(claims)
    await app.finalize()
    await ask(app.port, `/api/json/items/${id}`, {
      method: 'PATCH',
      key: account().key,
      body: { json: { data: { type: 'item', id, attributes: { redacted: true } } } },
    })
    await page().goto(`/items/${id}`)
    await page().getByTestId('redacted').waitFor()
    expect(await stage()).toBe('gone')
    await picture('item_redacted')
    await turnTo(page(), '/items/01MB78W7FGY7TZHKNWE7WA3Z57')
    await page().getByTestId('missing').waitFor()
  })

  it('download as CBOR, without witnesses and in the compact layout when that is chosen', async () => {
    const id = await submit(claims)
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    await page().goto(`/items/${id}`)
    await expect.poll(stage).toBe('ready')
    await page().getByText('More about it').click()
    await page().getByRole('button', { name: 'CBOR' }).click()
    await page().getByRole('button', { name: 'None' }).click()
    const download = await downloaded('download-proof')
    expect(download.suggestedFilename()).toBe(`pharos-item-${id}-compact.cbor`)
    const path = join(desk.folder, 'proof.cbor')
    await download.saveAs(path)
    expect((await readFile(path)).subarray(0, 3).toString('hex')).toBe('d9d9f7')
  })
})

describe('the .ots file of an item', () => {
  it('is downloaded beside the bundle, once there is one, and said to disclose the claims', async () => {
    const id = await submit(claims)
    await app.finalize()
    await page().goto(`/items/${id}`)
    const button = page().getByTestId('download-ots')
    await expect.poll(stage).toBe('waiting')
    expect(await button.count()).toBe(0)
    await commitBlocks({ em: app.store.em() })
    await page().reload()
    await button.waitFor()
    expect(await page().getByTestId('ots-disclosure').innerText()).toMatch(/discloses the whole claims/)
    const download = await downloaded('download-ots')
    expect(download.suggestedFilename()).toBe(`pharos-item-${id}.regtest.ots`)
    const path = join(desk.folder, 'paper.txt.ots')
    await download.saveAs(path)
    const read = readOts(await readFile(path))
    expect(read.digest.toString('hex')).toBe(digest)
    expect(read.attestations).toHaveLength(1)
  })

  it('is not there for every item, and it is said why, with the service’s words where it alone knows', async () => {
    const wordy = await submit({
      name: 'A thought',
      description: 'Written down in words that are long enough.',
    })
    const elsewhere = await submit(claims)
    await app.finalize()
    await commitBlocks({ em: app.store.em() }, STELLAR)
    await page().goto(`/items/${wordy}`)
    await expect.poll(() => page().getByTestId('ots-obstacle').innerText()).toMatch(/no digest of a file/)
    await turnTo(page(), `/items/${elsewhere}`)
    await page().getByTestId('download-ots').click()
    await expect
      .poll(() => page().getByTestId('ots-failure').innerText())
      .toMatch(/not committed to a Bitcoin/)
  })
})

describe('blocks and beacons in the console', () => {
  it('show a block with its items, its hash recomputed, and its proof', async () => {
    const id = await submit(claims)
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const [block] = await app.query<{ id: string; hash: string }>(
      `SELECT id, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    await page().goto(`/items/${id}`)
    await page().getByTestId('block-link').click()
    await expect.poll(() => page().getByTestId('leaf-row').count()).toBe(1)
    expect(await page().getByTestId('block-state').innerText()).toBe('on the development chain')
    await page().getByRole('heading', { name: 'On the development chain' }).waitFor()
    const way = page().getByTestId('timeline')
    await expect
      .poll(() => way.locator('strong').allInnerTexts())
      .toEqual(['Made', 'On the development chain'])
    expect(await way.innerText()).not.toMatch(/item|handed in|in block/i)
    // Its own leaf is marked, with the way up to the root.
    expect(await page().locator('[data-testid=leaf-row][data-chosen=true]').count()).toBe(1)
    await expect.poll(() => page().getByTestId('merkle-path').getAttribute('data-ok')).toBe('true')
    const marks = await page()
      .locator('.timeline > li')
      .evaluateAll((all) => all.map((one) => one.dataset.tone))
    expect(marks.filter((tone) => tone === 'good').length).toBeGreaterThan(4)
    expect(marks).not.toContain('bad')
    await picture('block')
    expect((await downloaded('download-proof')).suggestedFilename()).toBe(`pharos-block-${block?.id}.json`)

    await turnTo(page(), `/beacons/${block?.hash}`)
    await page().getByTestId('drawer').waitFor()
    await expect.poll(stage).toBe('ready')
    await picture('beacon_drawer')
    expect((await downloaded('download-proof')).suggestedFilename()).toBe(`pharos-beacon-${block?.id}.json`)
    await page().getByTestId('block-page').click()
    await page().getByTestId('block-state').waitFor()
  })

  it('show an observation from its block, with its proof', async () => {
    const recorded = await recordObservation(
      { em: app.store.em(), signer: createSigner({ masterKey: app.masterKey }) },
      {
        source: 'entropy_stellar',
        payload: { closed_at: '2026-01-01T00:00:00Z', hash: 'cd'.repeat(32), sequence: 7 },
        publishedAt: new Date('2026-01-01T00:00:00Z'),
      },
    )
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    await page().goto(`/blocks/${block?.id}`)
    await page().getByTestId('leaf-row').filter({ hasText: 'Stellar' }).getByRole('link').click()
    await page().getByRole('heading', { name: 'Stellar ledger' }).waitFor()
    await expect.poll(stage).toBe('ready')
    expect(await page().locator('main').innerText()).toContain('cd'.repeat(32))
    await picture('entropy')
    const id = recorded.outcome === 'recorded' ? recorded.id : ''
    expect((await downloaded('download-proof')).suggestedFilename()).toBe(`pharos-entropy-stellar-${id}.json`)
  })

  it('say so when there is no such block or observation', async () => {
    await page().goto('/blocks/01a2ce8c-be60-74a1-9884-d675915e9850')
    await page().getByTestId('missing').waitFor()
    await turnTo(page(), '/entropy/nothing')
    await page().getByTestId('missing').waitFor()
  })

  it('fit a narrow screen', async () => {
    const id = await submit(claims)
    await app.finalize()
    await page().setViewportSize({ width: 390, height: 844 })
    for (const path of [`/items/${id}`, '/items/new']) {
      await page().goto(path)
      await page().locator('.plain-page').waitFor()
      expect(await page().evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
    }
    await picture('narrow_new_item')
  })
})

describe('a file, last of all', () => {
  it('goes from this computer to a proof that verifies with the service stopped', async () => {
    await page().clock.install()
    await page().goto('/items')
    await page().getByTestId('new-item').click()
    await page()
      .getByTestId('item-file')
      .setInputFiles({ name: 'paper.txt', mimeType: 'text/plain', buffer: data })
    await expect.poll(() => page().getByTestId('file-hash-hex').innerText()).toBe(digest)
    expect(await page().getByTestId('field-name').inputValue()).toBe('paper.txt')
    await picture('new_item')
    await page().getByTestId('submit-item').click()

    await expect.poll(stage).toBe('no_block')
    const id = new URL(page().url()).pathname.split('/').at(-1) ?? ''
    expect(await page().getByTestId('claims').innerText()).toContain(digest)
    expect(
      await page()
        .getByTestId('item-hashes')
        .locator('li')
        .evaluateAll((all) => all.map((one) => one.dataset.tone)),
    ).toEqual(['good', 'good', 'good'])
    await picture('item_accepted')

    await app.finalize()
    await expect.poll(stage).toBe('waiting')
    await expect.poll(() => page().getByTestId('timeline').innerText()).toMatch(/In block \d+/)
    await commitBlocks({ em: app.store.em() })
    // The page asks again by its clock.
    await page().clock.fastForward(10_000)
    await expect.poll(stage).toBe('ready')
    await expect
      .poll(() => page().getByTestId('development-chain').innerText())
      .toMatch(/proves nothing to outsiders/)
    await expect
      .poll(() => page().getByTestId('timeline').innerText())
      .toMatch(/On the development chain[\s\S]*proves no time to outsiders/)
    await page().getByText('on the development chain', { exact: true }).waitFor()
    expect(await page().locator('main').innerText()).not.toMatch(/regtest|on a chain/i)
    await picture('item_ready')
    await page().getByTestId('theme').click()
    await picture('item_ready_dark')

    const bundle = await onDesk('download-proof')
    await page().getByText('More about it').click()
    expect(bundle).toBe(`pharos-item-${id}.json`)
    const keyring = await onDesk('download-keyring')
    await onDesk('download-verifier')
    const command = await page().getByTestId('verify-command').innerText()
    expect(command).toBe(`node pharos.mjs verify ${bundle} --keyring ${keyring} --offline`)

    await page().getByTestId('open-in-verifier').click()
    await expect.poll(() => page().getByTestId('verdict').getAttribute('data-verdict')).toBe('valid')
    await picture('item_verified')

    await app.stop()
    await desk.put('paper.txt', data)
    const ran = await desk.pharos([...command.split(' ').slice(2), '--file', 'paper.txt'])
    expect(ran.out).toMatch(/^Valid$/m)
    expect(ran.code).toBe(0)
  })
})
