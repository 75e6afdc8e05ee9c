// Items in a real browser: the list, live and still where somebody reads, and new ones from files and texts.
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { turnTo } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { dropFiles } from '../support/drop_files.ts'
import { ask } from '../support/http.ts'
import { writeLarge } from '../support/large_file.ts'
import { makeItems, makeResource } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'
import { tooWide } from './gates/page_laws.ts'

const app = testApp()
const { page, account } = consoleTab(app, { keyOf: 'newcomer' })

const data = Buffer.from('What was on the paper.\n')
const digest = createHash('sha256').update(data).digest('hex')

type Made = {
  readonly name: string
  readonly hash?: string
  readonly tags?: readonly string[]
  readonly visibility?: string
}

/** One after the other, so that their order is known. */
const submit = async (items: readonly Made[]): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const item of items) ids.push(...(await submitAtOnce([item])))
  return ids
}

const submitAtOnce = (items: readonly Made[]) => {
  const entries = items.map(({ name, hash = 'ab'.repeat(32), tags = [], visibility = 'private' }) => ({
    claims: { name, hash, hash_type: 'sha256' },
    tags,
    visibility,
  }))
  return makeItems(app, entries, account().key)
}

const numbered = (count: number, name = 'Paper') =>
  Array.from({ length: count }, (_, n) => ({ name: `${name} ${n}` }))

const rowNames = () => page().getByTestId('item-row').locator('strong').allInnerTexts()
const pills = () => page().getByTestId('item-pill').allInnerTexts()
const chips = () => page().getByTestId('filter-chips').getByRole('button').allInnerTexts()
const search = () => new URL(page().url()).search
const top = (id: string) =>
  page()
    .locator(`li[data-id="${id}"]`)
    .evaluate((row) => Math.round(row.getBoundingClientRect().top))
const isLive = () => expect.poll(() => page().getByTestId('live-line').getAttribute('data-live')).toBe('true')

describe('an item with nothing to see in its name', () => {
  it('is said to have none in every place that names it', async () => {
    const [id = ''] = await submit([{ name: '   ' }])
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    await page().goto('/items')
    await expect.poll(rowNames).toEqual(['(no name)'])
    await page().getByTestId('item-row').click()
    await page().getByRole('heading', { level: 1, name: '(no name)' }).waitFor()
    expect(await page().title()).toBe('(no name) · Pharos')
    expect(await page().locator('.print-sheet h2').textContent()).toBe('(no name)')
    await page().getByTestId('block-link').click()
    await expect.poll(() => page().getByTestId('leaf-row').locator('strong').innerText()).toBe('(no name)')
    await page().keyboard.press('/')
    await page().getByTestId('palette-input').fill(id)
    await page().getByRole('option').filter({ hasText: 'Item “(no name)”' }).waitFor()
    await page().keyboard.press('Escape')
    await page().evaluate(
      (kept) => sessionStorage.setItem('pharos.draft.followed', kept),
      JSON.stringify({ id }),
    )
    await page().goto('/')
    await page().getByTestId('followed').getByRole('heading', { name: '(no name)' }).waitFor()
    await expect.poll(() => page().getByTestId('flag').innerText()).toBe('(no name)')
  })
})

describe('the list of items', () => {
  it('begins empty, and shows each item and each of its states as they happen', async () => {
    await page().goto('/items')
    await page().getByTestId('no-items').waitFor()
    await isLive()
    await submit([{ name: 'invoice\u202efdp.exe' }])
    await expect.poll(rowNames).toEqual(['invoice<U+202E>fdp.exe'])
    await submit([{ name: 'Second' }])
    await expect.poll(rowNames).toEqual(['Second', 'invoice<U+202E>fdp.exe'])
    expect(await pills()).toEqual(['waiting', 'waiting'])
    await app.finalize()
    await expect.poll(pills).toEqual(['in a block', 'in a block'])
    await commitBlocks({ em: app.store.em() })
    await expect.poll(pills).toEqual(['on a chain', 'on a chain'])
  })

  it('names the chain of what is on one where the service has a single one, and calls none public that is not', async () => {
    await submit([{ name: 'First' }, { name: 'Second' }])
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const ready: object = await (await fetch(`${app.base}/health/ready`)).json()
    const bitcoin = { chain: 'bitcoin', network: 'mainnet', confirmed_at: '2027-01-01T00:00:00.000Z' }
    const stellar = { ...bitcoin, chain: 'stellar', network: 'public' }
    let chains: readonly object[] = []
    await page().route('**/health/ready', (route) => route.fulfill({ json: { ...ready, chains } }))
    for (const [inUse, words] of [
      [[bitcoin], 'on Bitcoin'],
      [[bitcoin, stellar], 'on a public chain'],
      [[{ ...bitcoin, network: 'regtest' }], 'on the development chain'],
      [[{ ...bitcoin, confirmed_at: null }], 'on a chain'],
    ] as const) {
      chains = inUse
      await page().goto('/items')
      await expect.poll(pills).toEqual([words, words])
    }
    // The day stands in the first of the rows alone, and each has all of its time.
    const times = page().getByTestId('item-row').locator('time')
    expect(await times.locator('small:not(.visually-hidden)').count()).toBe(1)
    for (const text of await times.allTextContents()) expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    await page().getByTestId('filter-state').selectOption({ label: 'in a block, or on a chain' })
    await expect.poll(search).toBe('?state=committed')
    await expect
      .poll(() => page().getByTestId('filter-chips').getByRole('button').allInnerTexts())
      .toEqual(['in a block, or on a chain'])
  })

  it('moves nothing where somebody reads, and finds the place again after a look at one of them', async () => {
    const oldest = (await submitAtOnce(numbered(45))).toSorted()[0] ?? ''
    await page().goto('/items')
    await isLive()
    await expect.poll(() => page().getByTestId('item-row').count()).toBeGreaterThan(5)
    await page().evaluate(() => window.scrollTo({ top: 1_200, behavior: 'instant' }))
    const inView =
      (await page()
        .locator('.item-rows li')
        .evaluateAll((rows) => rows.find((row) => row.getBoundingClientRect().top > 200)?.dataset.id)) ?? ''
    const before = await top(inView)
    await submit([{ name: 'Meanwhile' }, { name: 'And then' }])
    await expect.poll(() => page().getByTestId('new-count').innerText()).toBe('2 new')
    expect(await top(inView)).toBe(before)
    await page().locator(`li[data-id="${inView}"] a`).click()
    await page().getByTestId('claims').waitFor()
    await page().goBack()
    await page().locator(`li[data-id="${inView}"]`).waitFor()
    await page().getByTestId('new-count').click()
    await expect.poll(async () => (await rowNames()).slice(0, 2)).toEqual(['And then', 'Meanwhile'])
    expect(await page().evaluate(() => window.scrollY)).toBe(0)
    await page().evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    await page().locator(`li[data-id="${oldest}"]`).waitFor()
  })

  it('is narrowed by the address, by every filter, and back again', async () => {
    await submit([
      { name: 'Red letter', tags: ['letters'], visibility: 'team' },
      { name: 'Blue letter', tags: ['letters'] },
      { name: 'Blue bill', tags: ['bills'], hash: digest },
    ])
    await page().goto('/items')
    await expect.poll(rowNames).toHaveLength(3)
    await page().keyboard.press('?')
    expect(await page().getByTestId('help').innerText()).toContain('narrow the list')
    await page().keyboard.press('Escape')
    await page().getByTestId('help').waitFor({ state: 'detached' })
    await page().keyboard.press('f')
    await page().keyboard.type('Blue')
    await expect.poll(rowNames).toEqual(['Blue bill', 'Blue letter'])
    await page().getByTestId('filter-tag').fill('letters')
    await expect.poll(rowNames).toEqual(['Blue letter'])
    expect(search()).toBe('?tag=letters&text=Blue')
    expect(await chips()).toEqual(['name has “Blue”', 'tag letters', 'Clear all'])
    await page().reload()
    await expect.poll(rowNames).toEqual(['Blue letter'])
    await page().getByRole('button', { name: 'Clear: name has “Blue”' }).click()
    await expect.poll(rowNames).toEqual(['Blue letter', 'Red letter'])
    await page().getByTestId('filter-visibility').selectOption('team')
    await expect.poll(rowNames).toEqual(['Red letter'])
    await page().goBack()
    await expect.poll(rowNames).toEqual(['Blue letter', 'Red letter'])
    await page().goBack()
    await expect.poll(rowNames).toEqual(['Blue letter'])
    expect(await page().getByTestId('filter-text').inputValue()).toBe('Blue')
    await turnTo(page(), '/items?state=committed')
    await page().getByTestId('no-match').waitFor()
    await app.finalize()
    await expect.poll(rowNames).toHaveLength(3)
    await turnTo(page(), '/items?to=2020-01-01T00:00')
    await page().getByTestId('no-match').waitFor()
    await page().getByRole('button', { name: 'Show all items' }).click()
    await expect.poll(rowNames).toHaveLength(3)
  })

  it('finds an item by its file, and by each of its hashes', async () => {
    await submit([{ name: 'Another' }])
    const [id = ''] = await submit([{ name: 'The paper', hash: digest }])
    await page().goto('/items')
    await expect.poll(rowNames).toHaveLength(2)
    const dropPaper = () =>
      page().evaluate((text) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], 'paper.txt'))
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }))
      }, String(data))
    await dropPaper()
    await expect.poll(rowNames).toEqual(['The paper'])
    expect(search()).toBe(`?text=${digest}`)
    const item = await ask(app.port, `/api/json/items/${id}`, { key: account().key })
    const { attributes } = (item.json() as { data: { attributes: Record<string, string> } }).data
    for (const hash of [attributes.item_hash, attributes.claims_hash]) {
      await page().getByTestId('filter-text').fill(String(hash).toUpperCase())
      await expect.poll(rowNames).toEqual(['The paper'])
    }
    await page().getByTestId('filter-text').fill('0'.repeat(64))
    await page().getByTestId('no-match').waitFor()
    await page().getByTestId('filter-text').fill(id.toLowerCase())
    await expect.poll(rowNames).toEqual(['The paper'])
    expect(await chips()).toEqual([`id ${id}`])
    // Of another team, so it is in no list of this one.
    const claims = { name: 'Theirs', hash: digest, hash_type: 'sha256' }
    const open = await makeResource(app, 'item', { claims, visibility: 'public' })
    await page().getByTestId('filter-text').fill(open)
    await page().getByRole('link', { name: 'Open the item of this id' }).click()
    await page().getByTestId('claims').waitFor()
    // A file that was looked for can be handed in without being dropped again.
    await page().goto('/items')
    await expect.poll(rowNames).toHaveLength(2)
    await dropPaper()
    await page().getByTestId('stamp-it').click()
    await expect.poll(() => page().getByTestId('field-name').inputValue()).toBe('paper.txt')
  })

  it('is searched in one field, of whose words the filters are made that stand in the address', async () => {
    await submit([
      { name: 'Lease contract', tags: ['lease'] },
      { name: 'Lease bill', tags: ['lease'] },
      { name: 'Bill contract', tags: ['bills'] },
    ])
    await page().goto('/items')
    await expect.poll(rowNames).toHaveLength(3)
    const field = page().getByTestId('filter-text')
    const words = await page().locator('label', { has: field }).innerText()
    for (const named of ['digest', 'id', 'tag:lease', 'since yesterday', 'before 2026-11-20'])
      expect(words).toContain(named)
    await field.fill('tag:lease since 2026-11-20 contract')
    await expect.poll(rowNames).toEqual(['Lease contract'])
    expect(search()).toBe('?tag=lease&from=2026-11-20T00%3A00&text=contract')
    expect(await chips()).toEqual([
      'name has “contract”',
      'tag lease',
      'from 2026-11-20 00:00 UTC',
      'Clear all',
    ])
    // What is being typed stays until the field is left or Enter is pressed.
    expect(await field.inputValue()).toBe('tag:lease since 2026-11-20 contract')
    await field.press('Enter')
    expect(await field.inputValue()).toBe('contract')
    await page().reload()
    await expect.poll(rowNames).toEqual(['Lease contract'])
    expect(await page().getByTestId('filter-tag').inputValue()).toBe('lease')
    // What is typed next adds to it.
    await field.fill('tag:bills contract')
    await expect.poll(rowNames).toEqual(['Bill contract'])
    await page().locator('h1').click()
    expect(await field.inputValue()).toBe('contract')
    await field.fill('before 2020-01-01')
    await page().getByTestId('no-match').waitFor()
    expect(search()).toBe('?tag=bills&from=2026-11-20T00%3A00&to=2019-12-31T23%3A59')
    await page().goBack()
    await expect.poll(rowNames).toEqual(['Bill contract'])
    expect(await field.inputValue()).toBe('contract')
    await page().goBack()
    await expect.poll(rowNames).toEqual(['Lease contract'])
  })

  it('leads from the last of its 1,000 rows to the older ones, however many were handed in within a minute', async () => {
    await submit([{ name: 'Older' }, { name: 'The last' }, { name: 'Newest' }])
    await page().route(/api\/json\/items\?page(?!.*filter)/, async (route) => {
      const response = await route.fetch()
      const { data, ...more }: { data: { id: string }[] } = JSON.parse(await response.text())
      const [newest] = data
      const others = Array.from({ length: 998 }, (_, n) => ({ ...newest, id: `${newest?.id}${n}` }))
      await route.fulfill({ response, json: { ...more, data: [...others, ...data] } })
    })
    await page().goto('/items')
    await expect.poll(rowNames).toContain('Newest')
    await page().evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    const link = page().getByRole('link', { name: 'Older ones' })
    expect(await link.locator('..').innerText()).toBe('This page holds 1,000 items. Older ones')
    await link.click()
    await expect.poll(rowNames).toEqual(['The last', 'Older'])
    expect(search()).toMatch(/^\?to=[^&]+$/)
  })

  it('says kindly that a search is too much, and what finds it all the same', async () => {
    await submit([{ name: 'Paper' }])
    await page().route(/filter%5Bdisplay_name%5D%5Bcontains%5D/, (route) =>
      route.fulfill({
        status: 400,
        contentType: 'application/vnd.api+json',
        body: '{"errors":[{"status":"400","code":"query_too_expensive","detail":"more than 50000 rows"}]}',
      }),
    )
    await page().goto('/items?text=Paper')
    await page().getByTestId('too-many').waitFor()
    await page().getByRole('button', { name: 'It is the whole name' }).click()
    await expect.poll(rowNames).toEqual(['Paper'])
  })

  it('catches up after a break of the connection, and goes by the keyboard', async () => {
    await submit(numbered(3))
    await page().goto('/items')
    await isLive()
    await expect.poll(rowNames).toHaveLength(3)
    await page().context().setOffline(true)
    await expect.poll(() => page().getByTestId('live-line').innerText()).toContain('Not connected')
    await submit([{ name: 'Missed' }])
    await page().context().setOffline(false)
    await expect.poll(rowNames).toEqual(['Missed', 'Paper 2', 'Paper 1', 'Paper 0'])
    await page().locator('h1').click()
    await page().keyboard.press('j')
    await page().keyboard.press('j')
    expect(await page().evaluate(() => document.activeElement?.textContent)).toContain('Paper 2')
    await page().keyboard.press('Enter')
    await page().getByTestId('claims').waitFor()
  })

  it('fits a phone', async () => {
    await submitAtOnce(numbered(12, 'A rather long name of a paper that somebody wrote'))
    await page().goto('/items')
    for (const { width, height } of [
      { width: 390, height: 844 },
      { width: 320, height: 256 },
    ]) {
      await page().setViewportSize({ width, height })
      await expect.poll(() => page().getByTestId('item-row').count()).toBeGreaterThan(8)
      expect(await page().evaluate(tooWide, 'ltr'), `at ${width}`).toEqual([])
    }
  })
})

const newFiles = (names: readonly string[]) =>
  names.map((name, n) => ({
    name,
    mimeType: 'text/plain',
    buffer: n === 0 ? data : Buffer.from(`${name}\n`),
  }))
const entries = () => page().getByTestId('file-entries').locator('li')
const counts = () => page().getByTestId('submitted-counts').innerText()

const dropFromDesktop = async (...files: string[]): Promise<void> => {
  const { x, y } = (await page().getByRole('group', { name: 'Files' }).boundingBox()) ?? { x: 0, y: 0 }
  await dropFiles(page(), files, { x: x + 20, y: y + 20 })
}

describe('new items', () => {
  it('are made of many files at once, once each though the answer is lost, and followed until their proofs are there', async () => {
    const sent: unknown[] = []
    await page().route('**/api/json/items/batch', async (route) => {
      sent.push(route.request().postDataJSON())
      const answer = await route.fetch()
      if (sent.length === 1) await route.abort()
      else await route.fulfill({ response: answer })
    })
    await page().goto('/items/new')
    await page()
      .getByTestId('item-file')
      .setInputFiles(newFiles(['paper.txt', 'bill\u202efdp.exe', 'c']))
    await expect.poll(() => page().getByTestId('file-hash-hex').count()).toBe(3)
    expect(await page().getByTestId('file-entries').innerText()).toContain('bill<U+202E>fdp.exe')
    await page().getByTestId('field-name').nth(2).fill('Third')
    await page().getByText('More about it').click()
    await page().getByTestId('field-tags').fill('papers, kept')
    const outgoing = await page().getByTestId('outgoing').innerText()
    expect(outgoing).toContain(digest)
    expect(outgoing).toContain('And 2 more')
    await page().getByTestId('submit-item').click()
    await expect.poll(counts).toBe('3 handed in · 3 waiting')
    expect(sent).toHaveLength(2)
    expect(sent[1]).toEqual(sent[0])
    expect(JSON.stringify(sent)).not.toContain('on the paper')
    expect((await rowNames()).sort()).toEqual(['Third', 'bill<U+202E>fdp.exe', 'paper.txt'])
    expect(await app.query('SELECT id FROM items WHERE creator_id = $1', [account().userId])).toHaveLength(3)
    await page().reload()
    await expect.poll(counts).toBe('3 handed in · 3 waiting')
    await app.finalize()
    await expect.poll(counts).toBe('3 handed in · 3 in a block')
    await commitBlocks({ em: app.store.em() })
    await expect.poll(counts).toBe('3 handed in · 3 on a chain')
    await page().getByTestId('another').click()
    await page().getByTestId('item-file').waitFor({ state: 'attached' })
  })

  it('are kept as a draft: names and digests, not the files', async () => {
    await page().goto('/items/new')
    await page()
      .getByTestId('item-file')
      .setInputFiles(newFiles(['paper.txt', 'letter.txt']))
    await expect.poll(() => page().getByTestId('file-hash-hex').count()).toBe(2)
    await page().getByText('More about it').click()
    await page().getByTestId('field-description').fill('For later')
    await page().getByRole('button', { name: 'Remove letter.txt' }).click()
    await page().goto('/items')
    await page().getByTestId('no-items').waitFor()
    expect(await page().evaluate(() => JSON.stringify(sessionStorage))).not.toContain('on the paper')
    await page().getByTestId('new-item').click()
    await expect.poll(() => page().getByTestId('file-hash-hex').allInnerTexts()).toEqual([digest])
    expect(await page().getByTestId('field-description').inputValue()).toBe('For later')
    await page().getByTestId('hash-type').selectOption('sha512')
    expect(await entries().innerText()).toContain('Drop it again')
    await page().getByTestId('forget-draft').click()
    expect(await entries().count()).toBe(0)
  })

  it('take the files of a folder, and stop hashing a file when asked', async () => {
    await page().goto('/items/new')
    const desktop = await mkdtemp(join(tmpdir(), 'pharos-desktop-'))
    await writeLarge(join(desktop, 'film.bin'))
    await writeFile(join(desktop, 'small.txt'), 'small')
    await dropFromDesktop(join(desktop, 'film.bin'), join(desktop, 'small.txt'))
    await expect.poll(() => page().getByTestId('file-hash-hex').count()).toBe(1)
    await expect
      .poll(() => entries().first().locator('progress').getAttribute('value').then(Number))
      .toBeGreaterThan(0)
    expect(await page().getByTestId('submit-item').isDisabled()).toBe(true)
    await page().getByRole('button', { name: 'Cancel film.bin' }).click()
    expect(await entries().count()).toBe(1)
    expect(await page().getByTestId('submit-item').isEnabled()).toBe(true)
    const folder = await mkdtemp(join(tmpdir(), 'pharos-items-page-'))
    await mkdir(join(folder, 'inner'))
    await writeFile(join(folder, 'outer.txt'), data)
    await writeFile(join(folder, 'inner', 'inner.txt'), 'inner')
    await page().getByTestId('item-folder').setInputFiles(folder)
    await expect.poll(() => page().getByTestId('file-hash-hex').count()).toBe(3)
    const names = await page()
      .getByTestId('field-name')
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? one.value : '')))
    expect(names.sort()).toEqual(['inner.txt', 'outer.txt', 'small.txt'])
    for (const made of [desktop, folder]) await rm(made, { recursive: true })
  })

  it('take what is dropped from the desktop: a folder with what is in it, and one with nothing', async () => {
    await page().goto('/items/new')
    const desktop = await mkdtemp(join(tmpdir(), 'pharos-desktop-'))
    await mkdir(join(desktop, 'papers', 'inner'), { recursive: true })
    await writeFile(join(desktop, 'papers', 'outer.txt'), data)
    await writeFile(join(desktop, 'papers', 'inner', 'inner.txt'), 'inner')
    await mkdir(join(desktop, 'nothing'))
    await dropFromDesktop(join(desktop, 'papers'))
    await expect.poll(() => page().getByTestId('file-hash-hex').allInnerTexts()).toContain(digest)
    await expect.poll(() => page().getByTestId('files-head').innerText()).toMatch(/^2 files/)
    await page().getByTestId('forget-draft').click()
    await dropFromDesktop(join(desktop, 'nothing'))
    await expect.poll(() => page().locator('.notice').innerText()).toContain('There was no file')
    await rm(desktop, { recursive: true })
  })

  it('submit the digest of a text, whose bytes can be saved, and stay here when refused', async () => {
    await page().goto('/items/new')
    await page().getByRole('button', { name: 'A text' }).click()
    await page().getByTestId('field-name').fill('A note')
    await page().getByTestId('field-text').fill(String(data))
    expect(await page().getByTestId('outgoing').innerText()).toContain(digest)
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      page().getByTestId('save-text').click(),
    ])
    expect(download.suggestedFilename()).toBe('A note.txt')
    expect((await readFile(await download.path())).equals(data)).toBe(true)
    await page().route('**/api/json/items/batch', (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/vnd.api+json',
        body: '{"errors":[{"status":"403","code":"plan_limit","detail":"the plan has 1000 items a day","meta":{"resets_at":"2027-01-02T00:00:00.000Z"}}]}',
      }),
    )
    await page().getByTestId('submit-item').click()
    await expect
      .poll(() => page().getByTestId('submit-failure').innerText())
      .toMatch(/1000 items a day.*anew on 2 January 2027, 00:00 UTC/)
    await page().getByRole('button', { name: 'Change the draft' }).click()
    expect(await page().getByTestId('field-text').inputValue()).toBe(String(data))
    await page().unroute('**/api/json/items/batch')
    await page().getByTestId('submit-item').click()
    await page().getByTestId('claims').waitFor()
    expect(await page().getByTestId('claims').innerText()).toContain(digest)
    await page().goto('/items/new')
    await page().getByRole('button', { name: 'A text' }).click()
    expect(await page().getByTestId('field-text').inputValue()).toBe('')
  })
})
