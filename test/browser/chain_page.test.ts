// The chain and what is made from it in a real browser, against the real service.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { consoleTab } from '../support/console_tab.ts'
import { makeItems, makeResource } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page } = consoleTab(app, { keyOf: 'owner' })
beforeAll(() => app.finalize(3))

const headHash = async (): Promise<string> => {
  const [head] = await app.query<{ hash: string }>(
    `SELECT encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
  )
  return head?.hash ?? ''
}

const winners = () => page().getByTestId('winners').locator('li strong').allInnerTexts()

const savedBy = async (testId: string) => {
  const [download] = await Promise.all([page().waitForEvent('download'), page().getByTestId(testId).click()])
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

const claimsOf = (name: string) => ({
  name,
  description: `What ${name} is about, in as many words as it takes.`,
})

const submit = (names: readonly string[]) =>
  makeItems(
    app,
    names.map((name) => ({ claims: claimsOf(name) })),
  )

declare global {
  interface Window {
    drawnWords: { readonly text: string; readonly isCut: boolean; readonly isStruck: boolean }[]
  }
}

/** Notes each text that is drawn on a canvas, and whether a part of it lies beside it, or where its dashed line runs. */
const WORDS_SCRIPT = `window.drawnWords = []
const { fillText, lineTo } = CanvasRenderingContext2D.prototype
let end = 0
CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
  end = x
  return lineTo.call(this, x, y)
}
CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
  const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = this.measureText(text)
  const at = this.getTransform().transformPoint({ x, y }).x
  const isCut = at - left < 0 || at + right > this.canvas.width
  window.drawnWords.push({ text, isCut, isStruck: this.getLineDash().length > 0 && x - left < end })
  return fillText.call(this, text, x, y)
}`

describe('the table of the chain', () => {
  it('finds by the search of the console: a height leads to its block, and a time to the rows around it', async () => {
    await page().goto('/chain')
    await page().getByTestId('beacon-row').first().waitFor()
    const search = async (text: string) => {
      await page().getByTestId('chain-search').fill(text)
      await page().getByTestId('chain-search').press('Enter')
      expect(await page().getByTestId('palette-input').inputValue()).toBe(text)
    }
    const [block] = await app.query<{ id: string; hash: string; time: string }>(
      `SELECT id, encode(block_hash, 'hex') AS hash, to_char(finalized_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS time
         FROM blocks WHERE height = 1`,
    )
    // What is told of what was found is read to its end.
    await search('2020-01-01')
    const told = page().locator('.palette-found > small', { hasText: 'the chain begins after that time' })
    expect(await told.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await page().keyboard.press('Escape')
    await search(`${block?.time}`)
    await page()
      .getByRole('option', { name: /^Blocks of/ })
      .click()
    await page().getByTestId('range-bar').waitFor()
    expect(page().url()).toMatch(/\/chain\?from=/)
    await page().locator(`[data-testid=beacon-row][data-hash="${block?.hash}"]`).waitFor()
    await page().getByTestId('live').click()
    await page().getByTestId('range-bar').waitFor({ state: 'detached' })
    await search('1')
    await page()
      .getByRole('option', { name: /^Block 1/ })
      .click()
    await page().waitForURL(`**/blocks/${block?.id}`)
  })

  it('shows what its plots show in words, and the blocks of a range that is dragged', async () => {
    await page().goto('/chain')
    const canvas = page().getByTestId('plot').first().locator('.u-over')
    await canvas.waitFor()
    await expect
      .poll(() => page().locator('.plot-words').first().innerText())
      .toMatch(/^p50 .+, p95 .+, at most .+, in \d+ blocks?\.$/)
    const box = await canvas.boundingBox()
    if (box === null) throw new Error('no plot')
    await page().mouse.move(box.x + 2, box.y + 40)
    await page().mouse.down()
    await page().mouse.move(box.x + box.width - 2, box.y + 50, { steps: 4 })
    await page().mouse.up()
    await page().getByTestId('range-bar').waitFor()
    const query = new URL(page().url()).searchParams
    expect(Date.parse(query.get('to') ?? '')).toBeGreaterThan(Date.parse(query.get('from') ?? ''))
    await page().getByTestId('beacon-row').first().waitFor()
    await page().getByText('The same as a table').click()
    await expect.poll(() => page().locator('.plots-table tbody tr').count()).toBeGreaterThan(0)
  })

  it('draws its plots whole beside the drawer of a beacon', async () => {
    await page().addInitScript(WORDS_SCRIPT)
    await page().goto(`/beacons/${await headHash()}`)
    await page().getByTestId('drawer').waitFor()
    const words = () => page().evaluate(() => window.drawnWords)
    await expect.poll(async () => (await words()).length).toBeGreaterThan(9)
    await expect
      .poll(async () => (await words()).map(({ text }) => text.trim()))
      .toEqual(expect.arrayContaining(['p50', 'p95']))
    expect((await words()).filter(({ isCut, isStruck }) => isCut || isStruck)).toEqual([])
    const boxes = await page()
      .locator('.plots li, .plot-canvas')
      .evaluateAll((all) => all.map((box) => box.scrollWidth - box.clientWidth))
    expect(boxes).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('checks the link of a beacon that the rows do not hold', async () => {
    const [block] = await app.query<{ hash: string }>(
      `SELECT encode(block_hash, 'hex') AS hash FROM blocks WHERE height = 2`,
    )
    await page().goto(`/beacons/${block?.hash}?from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z`)
    await expect.poll(() => page().locator('.drawer-state').getAttribute('data-state')).toBe('proven')
    expect(await page().getByTestId('beacon-row').count()).toBe(0)
  })

  it('walks to the genesis block, and counts the blocks it has checked', async () => {
    await page().goto('/chain')
    await page().getByTestId('walk-start').click()
    const [chain] = await app.query<{ blocks: number }>('SELECT count(*)::int AS blocks FROM blocks')
    await expect
      .poll(() => page().getByTestId('walk-done').innerText())
      .toContain(`${chain?.blocks} blocks, every link holds`)
    // Sentences have their times in words; the elements have them exactly.
    const IN_WORDS = /\d{1,2} \w+ \d{4}, \d\d:\d\d:\d\d UTC/
    expect(await page().getByTestId('walk-done').innerText()).toMatch(IN_WORDS)
    const since = page().getByTestId('chain-proof').locator('time')
    expect(await since.innerText()).toMatch(IN_WORDS)
    expect(await since.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(await page().getByTestId('chain-proof').innerText()).toMatch(/\d+ blocks? verified since/)
    // It stays beside a beacon that is opened.
    await page().getByTestId('beacon-row').first().locator('.row-link').click()
    await page().getByTestId('drawer').waitFor()
    expect(page().url()).toContain('walk=head')
    expect(await page().getByTestId('walk-done').count()).toBe(1)
  })
})

describe('the page of a block', () => {
  it('computes the root from its leaves, and draws the path of one; what fails is told', async () => {
    const ids = await submit(['one', 'two', 'three', 'four', 'five'])
    await app.finalize()
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    const address = `${app.base}/blocks/${block?.id}`
    await page().goto(address)
    await expect.poll(() => page().getByTestId('leaves-root').innerText()).toContain('All 5 leaves were read')
    expect(await page().getByTestId('leaf-row').count()).toBe(5)
    await page().getByTestId('leaf-row').nth(2).getByTestId('leaf-path').click()
    const path = page().getByTestId('merkle-path')
    await expect.poll(() => path.getAttribute('data-ok')).toBe('true')
    expect(await path.locator('.timeline > li').count()).toBe(5)
    expect(page().url()).toContain(`leaf=${ids.toSorted()[2]}`)
    await expect.poll(() => page().getByTestId('block-in-log').getAttribute('data-state')).toBe('included')

    // One leaf is another one than the block has.
    await page().route('**/api/json/items?filter*block_id*', async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      const hash = /"item_hash":"([0-9a-f]{64})"/.exec(text)?.[1] ?? ''
      await route.fulfill({ response, body: text.replaceAll(hash, '00'.repeat(32)) })
    })
    await page().goto(`${address}?leaf=${ids.toSorted()[2]}`)
    await expect.poll(() => page().getByTestId('leaves-root').getAttribute('data-ok')).toBe('false')
    await expect.poll(() => path.getAttribute('data-ok')).toBe('false')
    expect(await page().getByTestId('path-root').innerText()).toContain('is not the merkle_root')
  })

  it('tells a round of the service as what it stands for, and nothing that only calls itself one', async () => {
    const digests = ['one', 'two', 'three'].map((text) => ({
      type: 'sha256',
      value: createHash('sha256').update(text).digest('hex'),
    }))
    const stamped = await fetch(`${app.base}/stamp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ digests }),
    })
    expect(stamped.status).toBe(200)
    const metadata = { round: 7, tree: { format: 'pharos-tree-v1', size: 2 } }
    await makeItems(app, [{ claims: { ...claimsOf('Pharos round 7'), metadata } }])
    await app.finalize()
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    const [round] = await app.query<{ number: string }>('SELECT number::text FROM aggregation_rounds')
    await page().goto(`/blocks/${block?.id}`)
    await expect.poll(() => page().getByTestId('leaf-row').count()).toBe(2)
    const names = await page().getByTestId('leaf-row').locator('strong').allInnerTexts()
    expect(names.toSorted()).toEqual([
      'Pharos round 7',
      `Round ${Number(round?.number).toLocaleString('en-US')}: 3 digests stamped without an account`,
    ])
    // What everybody may read is computed with, whoever made it.
    await expect.poll(() => page().getByTestId('leaves-root').getAttribute('data-ok')).toBe('true')
  })

  it('reads all leaves of a large block after one press', async () => {
    const names = (from: string) => Array.from({ length: 180 }, (_, index) => `${from} ${index}`)
    for (const from of ['a', 'b', 'c']) await submit(names(from))
    await app.finalize()
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    await page().goto(`/blocks/${block?.id}`)
    await page().locator('[data-testid=more-leaves]:enabled').click()
    await expect
      .poll(() => page().getByTestId('leaves-root').innerText())
      .toContain('All 540 leaves were read')
  })

  it('takes the path from the proof where not all leaves may be read, and says when there is none yet', async () => {
    const other = await app.account('grace')
    const [mine] = await submit(['mine'])
    await makeResource(app, 'item', { claims: claimsOf('theirs') }, other.key)
    await app.finalize()
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
    await page().goto(`/blocks/${block?.id}?leaf=${mine}`)
    await expect
      .poll(() => page().getByTestId('block-items').innerText())
      .toContain('Only 1 of 2 may be read by you')
    expect(await page().getByTestId('merkle-path').innerText()).toContain('as soon as a public chain carries')
    expect(await page().getByTestId('leaves-root').count()).toBe(0)
    await commitBlocks({ em: app.store.em() })
    await page().reload()
    await page().getByTestId('fetch-path').click()
    await expect.poll(() => page().getByTestId('merkle-path').getAttribute('data-ok')).toBe('true')
    expect(await page().getByTestId('commitments').innerText()).toMatch(/Epoch \d+: \d+ blocks/)
  })
})

describe('a draw', () => {
  it('gives the winners of the recipe, from the address alone and after every change of the terms', async () => {
    const hash = await headHash()
    await page().goto(`/beacons/${hash}/draw?n=1&k=1&label=Raffle`)
    await page().getByTestId('winners').waitFor()
    const terms = `pharos-draw-v1\nbeacon ${hash}\nlabel Raffle\nlist numbers\nn 1\nk 1\n`
    const shown = await page().getByTestId('draw-text').innerText()
    expect(shown.trimEnd()).toBe(terms.trimEnd())
    expect(await page().getByTestId('draw-seed').innerText()).toBe(
      createHash('sha256').update(terms).digest('hex'),
    )
    expect(await winners()).toEqual(['1'])
    await page().getByTestId('draw-k').fill('2')
    await expect.poll(() => page().getByTestId('draw-problem').innerText()).toContain('from 1 to 1')
    await page().getByTestId('draw-n').fill('2')
    await expect.poll(async () => (await winners()).toSorted()).toEqual(['1', '2'])
    const drawn = await winners()
    await expect.poll(() => page().url()).toMatch(/n=2.*|k=2.*n=2/)
    await page().reload()
    await page().getByTestId('winners').waitFor()
    expect(await winners()).toEqual(drawn)
  })

  it('from a list is repeated from its address, from its file, and from its hash with the list', async () => {
    const text = 'Ada\nGrace\nKatherine\n'
    const list = createHash('sha256').update(text).digest('hex')
    const draw = `/beacons/${await headHash()}/draw`
    await page().goto(`${draw}?k=2&names=Ada%0AGrace%0AKatherine`)
    await page().getByTestId('winners').waitFor()
    expect(await page().getByTestId('draw-text').innerText()).toContain(`\nlist ${list}\nn 3\nk 2`)
    const drawn = await winners()
    const saved = await savedBy('save-draw')
    expect(saved.name).toBe('draw.json')
    const file: { participants: string[]; winners: number[] } = JSON.parse(saved.text)
    expect(file.participants).toEqual(['Ada', 'Grace', 'Katherine'])
    expect(file.winners.map((place) => file.participants[place - 1])).toEqual(drawn)
    expect(await page().getByTestId('winners').locator('li small').allInnerTexts()).toEqual(
      file.winners.map((place) => `line ${place}`),
    )
    expect(await savedBy('save-list')).toEqual({ name: 'participants.txt', text })

    const give = (name: string, content: string) =>
      page()
        .getByTestId('draw-file')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })
    await app.finalize()
    await page().goto(`/beacons/${await headHash()}/draw?n=1&k=1`)
    await expect.poll(winners).toEqual(['1'])
    await give('draw.json', saved.text)
    await expect.poll(winners).toEqual(drawn)
    await expect.poll(() => page().url()).toContain(`${draw}?k=2&names=Ada`)

    await page().goto(`${draw}?k=2&list=${list}`)
    const problem = () => page().getByTestId('draw-problem').innerText()
    await expect.poll(problem).toContain('Give the list')
    await give('other.txt', 'Ada\nGrace\nEve\n')
    await expect.poll(problem).toContain('This is not the list of this draw')
    expect(await page().getByTestId('winners').count()).toBe(0)
    await page().getByTestId('draw-k').fill('1')
    await expect.poll(() => page().url()).toContain(`?k=1&list=${list}`)
    await page().getByTestId('draw-k').fill('2')
    await give('participants.txt', text.replaceAll('\n', ' \r\n'))
    await expect.poll(winners).toEqual(drawn)

    await page().getByRole('button', { name: 'Numbers', exact: true }).click()
    await expect.poll(() => page().getByTestId('draw-text').innerText()).toContain('\nlist numbers\nn 100\n')
    await page().getByRole('button', { name: 'A list', exact: true }).click()
    await page().getByTestId('draw-names').fill('Eve\nAda\nEve')
    expect(await problem()).toContain('This is not the list of this draw')
    await page().getByRole('button', { name: 'Draw from it all the same' }).click()
    await expect.poll(async () => (await winners()).length).toBe(2)
    const note = await page().getByTestId('draw-names').getAttribute('aria-describedby')
    expect(await page().locator(`[id="${note}"]`).innerText()).toContain(
      '3 take part; 1 line repeats another, and each counts.',
    )
  })

  it('waits for the first beacon from a fixed time on, and then draws by itself', async () => {
    const at = new Date(Date.now() + 600_000).toISOString()
    await page().goto(`/beacons/next/draw?at=${at}&k=1&names=Ada%0AGrace`)
    await page().getByTestId('draw-wait').waitFor()
    const field = page().getByTestId('draw-at')
    const note = page().locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
    expect(await note.innerText()).toMatch(
      /operator.* can choose who is drawn.* one of 100 took 89 tries, 13 ms/,
    )
    await app.finalize()
    // The page has heard of a beacon that is too early, and goes on waiting.
    await page().getByRole('link', { name: 'Now', exact: true }).click()
    await expect
      .poll(() => page().getByTestId('head-hash').innerText())
      .toContain((await headHash()).slice(0, 8))
    await page().goBack()
    await page().getByTestId('draw-wait').waitFor()
    expect(await page().getByTestId('winners').count()).toBe(0)
    const [newest] = await app.query<{ past: string }>(
      `SELECT iso_time(max(finalized_at) + interval '1 millisecond') AS past FROM blocks`,
    )
    const past = newest?.past ?? ''
    await page().goto(`/beacons/next/draw?at=${past}&k=1&names=Ada%0AGrace`)
    await page().getByTestId('draw-wait').waitFor()
    await app.finalize(2)
    await page().getByTestId('winners').waitFor()
    const [first] = await app.query<{ height: number; hash: string }>(
      `SELECT height, encode(block_hash, 'hex') AS hash FROM blocks WHERE finalized_at >= $1 ORDER BY height LIMIT 1`,
      [past],
    )
    expect(await page().getByTestId('draw-source').innerText()).toContain(
      `#${first?.height} ${first?.hash.slice(0, 16)}`,
    )
    expect(['Ada', 'Grace']).toContain((await winners())[0])
  })
})
