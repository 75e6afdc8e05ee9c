// The first page as a newcomer meets it: a file becomes a timestamp, and a proof a verdict; with an account, without one, and
// where nobody may stamp without one. In how few actions is in ten_tasks.test.ts.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { introducedKeys, ownKeyring } from '../../server/domain/proofs/keyrings.ts'
import { readEvidenceFile } from '../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../shared/evidence/verify_evidence.ts'
import { ATTESTED, DATA, file, HEIGHT, STEPS } from '../client/ots_files.ts'
import { NO_CHAINS, openTestApp, type TestApp } from '../support/app.ts'
import { signIn, turnTo } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { dropFiles, holdFiles } from '../support/drop_files.ts'
import { givePassword, TEST_PASSWORD } from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'

const intervals = { ...NO_CHAINS.intervals, embedded: 3_000 }
/** Makes a block a second, and commits them to the development chain. */
const app = testApp({
  blockIntervalMs: 1_000,
  aggregationIntervalMs: 100,
  chains: { ...NO_CHAINS, names: ['embedded'], intervals },
})
/** The same service, where nobody may stamp without an account. */
let shut: TestApp
/** The same, with a public log. */
let open: TestApp
const { page, picture } = consoleTab(app)

let desktop: string
let paper: string
const data = Buffer.from('What was on the paper.\n')
const digest = createHash('sha256').update(data).digest('hex')

beforeAll(async () => {
  shut = await openTestApp({ beside: app, publicDoors: [] })
  open = await openTestApp({ beside: app, logIsPublic: true })
  desktop = await mkdtemp(join(tmpdir(), 'pharos-front-door-'))
  paper = join(desktop, 'paper.txt')
  await writeFile(paper, data)
})
afterAll(async () => {
  await shut?.close()
  await open?.close()
  await rm(desktop, { recursive: true, force: true })
})

const at = (id: string) => page().getByTestId(id)
const line = () => at('way-line').innerText()
const reservations = () => at('reservations').locator('li').allInnerTexts()
const verdict = () => at('verdict').getAttribute('data-verdict')

/** The bodies of all requests of the tab. */
const sentBodies = (): string[] => {
  const sent: string[] = []
  page().on('request', (request) => sent.push(request.postData() ?? ''))
  return sent
}

const saved = async (id: string): Promise<string> => {
  const [download] = await Promise.all([page().waitForEvent('download'), at(id).click()])
  const path = join(desktop, download.suggestedFilename())
  await download.saveAs(path)
  return path
}

const LOOK = /\/stamp\/[0-9a-f]{64}$/
const READY = '**/health/ready'
const DAY_MS = 86_400_000

/** Lets the service say that it makes its blocks so rarely. */
const sayingInterval = async (of: Page, block_interval_ms: number) => {
  const answer = async (route: Route): Promise<void> => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), block_interval_ms } })
  }
  await of.route(READY, answer)
  return answer
}

/** Of the block that has the last round. Undefined while none has it. */
const heightOfLast = async (): Promise<number | undefined> => {
  const [row] = await app.query<{ height: number | null }>(
    'SELECT i.height FROM aggregation_rounds r JOIN shown_items i ON i.id = r.item_id ORDER BY r.number DESC LIMIT 1',
  )
  return row?.height ?? undefined
}

/** As the service answers where its log is public. */
const withLogProof = async (route: Route): Promise<void> => {
  const response = await route.fetch()
  const text = await response.text()
  if (!response.ok()) return route.fulfill({ response })
  const proof = await fetch(`${open.base}/log/proof/${await heightOfLast()}`)
  const body = text.replace(/\}$/, `,"log_proof":${JSON.stringify(await proof.text())}}`)
  await route.fulfill({ response, body })
}

const arrived = () => page().getByText('Drop a file: get a timestamp').waitFor()

describe('who is signed in', () => {
  it('is told that it is safe, and finds the card again after a reload', async () => {
    await signIn(page(), (await app.account('patient')).key)
    await page().goto('/')
    await arrived()
    await at('stamp-file').setInputFiles(paper)
    await at('submit-item').click()
    await expect.poll(line).toMatch(/^Handed in/)
    await page().reload()
    await expect.poll(line).toMatch(/ · on the development chain$/)
    await page().getByRole('link', { name: 'Its page' }).click()
    await at('development-chain').waitFor()
    await expect
      .poll(() => page().locator('main .notice').allInnerTexts())
      .toEqual([expect.stringMatching(/^Trial mode: .* development chain/)])
    await picture('item_on_development_chain')
    await page().goto('/')
    await at('another').click()
    await at('stamp-file').waitFor({ state: 'attached' })
  })

  it('begins anew after what was handed in: with the new file alone, and nothing that was said of the others', async () => {
    const files = await Promise.all(
      ['first.txt', 'second.txt'].map(async (name) => {
        const path = join(desktop, name)
        await writeFile(path, name)
        return path
      }),
    )
    await signIn(page(), (await app.account('hesitant')).key)
    await page().goto('/')
    await arrived()
    await dropFiles(page(), files)
    await expect.poll(() => at('submit-item').innerText()).toBe('Timestamp 2 files')
    await page().getByRole('button', { name: 'Everybody' }).click()
    await at('submit-item').click()
    await page().getByText('2 files handed in.').waitFor()
    // Let go when the page says that it takes them, as a person does.
    await holdFiles(page(), [paper], at('drop-veil'))
    await dropFiles(page(), [paper])
    await expect.poll(() => at('outgoing').innerText()).toContain(digest)
    expect(await at('submit-item').innerText()).toBe('Timestamp')
    expect(await page().getByRole('button', { name: 'Only me' }).getAttribute('aria-pressed')).toBe('true')
  })
})

describe('who has no account', () => {
  it('stamps where that door is open: the digest alone leaves, and the evidence is whole in the end', async () => {
    const sent = sentBodies()
    const looks: string[] = []
    page().on('request', (request) => LOOK.test(request.url()) && looks.push(request.url()))
    const unhurried = await sayingInterval(page(), DAY_MS)
    await page().goto('/')
    await arrived()
    await picture('door')
    await dropFiles(page(), [paper])
    await expect.poll(() => at('outgoing').innerText()).toContain(digest)
    await picture('door_ready')
    await at('stamp-submit').click()
    await expect.poll(line).toMatch(/^Handed in \d\d:\d\d:\d\d UTC · /)
    expect(sent.filter((body) => body !== '')).toEqual([
      JSON.stringify({ digests: [{ type: 'sha256', value: digest }] }),
    ])
    expect(await at('stamp').innerText()).toMatch(/belongs to nobody/)
    // It has its block, but the page was told that this one is due tomorrow.
    await expect.poll(() => at('timeline').innerText()).toMatch(/The next block is due in \d+ (h|min)/)
    await expect.poll(heightOfLast).toBeGreaterThan(0)
    expect(looks).toEqual([])
    await page().unroute(READY, unhurried)
    await page().route(LOOK, withLogProof)
    await page().reload()
    await expect.poll(line).toMatch(/ · on the development chain$/)
    expect(await line()).toContain(` · in block ${(await heightOfLast())?.toLocaleString('en')} · `)
    await picture('door_evidence')
    const path = await saved('save-evidence')
    expect(path).toMatch(/paper\.txt\.pharos$/)
    const evidence = readEvidenceFile(await readFile(path, 'utf8'))
    const keyring = ownKeyring(await introducedKeys(app.store.em()))
    const report = await verifyEvidence(
      evidence,
      { keyrings: [keyring] },
      createHash('sha256').update(data).digest(),
    )
    expect(report.verdict).toBe('valid')

    await page().goto('/')
    await at('another').click()
    await dropFiles(page(), [path])
    await at('verdict').waitFor()
    expect(await verdict()).toBe('valid')
    expect(await at('verdict-sentence').innerText()).toMatch(/^The file of this proof existed on /)
    expect(await reservations()).toEqual([expect.stringMatching(/development chain.* proves no time/)])
    await picture('door_evidence_alone')
    await at('checked-file').setInputFiles(paper)
    await expect.poll(() => at('verdict-sentence').innerText()).toMatch(/^paper\.txt existed on /)
    expect(await reservations()).toEqual([expect.stringMatching(/development chain.* proves no time/)])
    await picture('door_checked')
    await at('check-end').click()
    const other = join(desktop, 'other.txt')
    await writeFile(other, 'Something else.')
    await dropFiles(page(), [path, other])
    await expect.poll(verdict).toBe('not_valid')
    expect(await at('verdict-sentence').innerText()).toMatch(/^other\.txt is not the file of this proof/)
    await at('check-end').click()
    const ots = join(desktop, 'paper.txt.ots')
    await writeFile(ots, file(STEPS + ATTESTED, '02', createHash('sha1').update(DATA).digest()))
    await dropFiles(page(), [ots])
    await expect.poll(verdict).toBe('not_asked')
    await expect
      .poll(reservations)
      .toEqual([
        expect.stringContaining('sha1'),
        expect.stringContaining('on the development chain of this service, not on Bitcoin'),
        expect.stringMatching(new RegExp(`^Block ${HEIGHT} must have Merkle root [0-9a-f]{64}:`)),
      ])
    expect(await at('verdict').innerText()).not.toMatch(/Bitcoin (block|say)/)
    await picture('door_ots_alone')
  })

  it.each([
    [
      'of another file',
      async () => {
        const other = createHash('sha256').update('other').digest('hex')
        const answer = await fetch(`${app.base}/stamp`, {
          method: 'POST',
          body: JSON.stringify({ digests: [{ type: 'sha256', value: other }] }),
          headers: { 'content-type': 'application/json' },
        })
        return answer.text()
      },
      /not a receipt/,
    ],
    [
      'that nobody signed',
      async (text: string) => text.replace(/"signature":"[^"]{8}/, `"signature":"AAAAAAAA`),
      /does not verify: the item’s signature/,
    ],
    [
      'whose tree has another root',
      async (text: string) => text.replace(/"index":\d+/, '"index":0'),
      /does not verify: the path to what the item claims/,
    ],
  ])('a receipt %s is refused, and nobody is told that anything is safe', async (_, lie, why) => {
    await page().route('**/stamp', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: await lie(await answer.text()) })
    })
    await page().goto('/')
    await arrived()
    await dropFiles(page(), [paper])
    await at('stamp-submit').click()
    await expect.poll(() => at('stamp-failure').innerText()).toMatch(why)
    expect(await at('safe-already').count()).toBe(0)
  })

  it.each([
    ['stamped', () => app],
    ['kept for the sign-in', () => shut],
  ])(
    'gives several files at once: the first is %s, and it is said that the others are not',
    async (_, of) => {
      const other = join(desktop, 'other.txt')
      await writeFile(other, 'Something else.')
      await page().goto(of().base)
      await arrived()
      const note = page().getByText('one file at a time. The others were left out')
      await dropFiles(page(), [paper, other])
      await note.waitFor()
      await expect.poll(() => at('outgoing').innerText()).toContain(digest)
      expect(await at('stamp').innerText()).not.toContain('other.txt')
      await picture('door_one_of_many')
      await holdFiles(page(), [other], at('drop-veil'))
      await dropFiles(page(), [other])
      await page().getByRole('heading', { name: 'other.txt' }).waitFor()
      expect(await note.count()).toBe(0)
    },
  )

  it('signs in between where it must, and the file is still there: its name and digest', async () => {
    const account = await app.account('returning')
    const email = await givePassword(app, account)
    await page().goto(shut.base)
    await arrived()
    await dropFiles(page(), [paper])
    await expect.poll(() => at('outgoing').innerText()).toContain(digest)
    await at('stamp-sign-in').click()
    await page().getByLabel('E-mail address').fill(email)
    await page().getByLabel('Password').fill(TEST_PASSWORD)
    await page().getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => at('field-name').inputValue()).toBe('paper.txt')
    await expect.poll(() => at('file-hash-hex').innerText()).toBe(digest)
    await at('submit-item').click()
    await expect.poll(line).toMatch(/^Handed in/)
  })
})

describe('a file over any page', () => {
  it.each([
    ['the sign-in page of another', '/items/new', 'Sign in to go on'],
    ['an address that has no page', '/no/such/page', 'There is no such page'],
  ])('is not lost signed out: dropped on %s, it is on the first page', async (_, path, name) => {
    await page().goto(path)
    await page().getByRole('heading', { level: 1, name }).waitFor()
    await holdFiles(page(), [paper], at('drop-veil'))
    await dropFiles(page(), [paper])
    await expect.poll(() => at('outgoing').innerText()).toContain(digest)
    expect(new URL(page().url()).pathname).toBe('/')
  })

  it.each([
    ['signed out', undefined, ['/', '/verify', '/items/new', '/no/such/page']],
    ['signed in', app, ['/', '/verify', '/items', '/no/such/page']],
  ] as const)('is seen once over each page, %s', async (_, of, paths) => {
    if (of !== undefined) await signIn(page(), of.owner.key)
    for (const path of paths) {
      await page().goto(path)
      await page().locator('main:not([aria-busy=true])').waitFor()
      // On the bar, because areas show by themselves that they take it. Two would fail each look.
      await holdFiles(page(), [paper], at('drop-veil'), { x: 700, y: 20 })
    }
  })

  it('is told what it would become; dropped, it is on the first page, and a proof in the verifier', async () => {
    await signIn(page(), (await app.account('dropper')).key)
    await page().goto('/connection')
    await page().getByRole('heading', { level: 1 }).waitFor()
    expect(await at('drop-veil').isVisible()).toBe(false)
    await holdFiles(page(), [paper], at('drop-veil'))
    expect(await at('drop-veil').innerText()).toMatch(/get a timestamp.*Only its fingerprint leaves/s)
    await dropFiles(page(), [paper])
    await expect.poll(() => at('file-hash-hex').innerText()).toBe(digest)
    expect(new URL(page().url()).pathname).toBe('/')
    expect(await at('drop-veil').isVisible()).toBe(false)

    await turnTo(page(), '/verify')
    await page().getByRole('heading', { level: 1, name: 'Verify' }).waitFor()
    // Above the fields, which show by themselves that they take it.
    await holdFiles(page(), [paper], at('drop-veil'), { x: 700, y: 130 })
    expect(await at('drop-veil').innerText()).toMatch(/Check this proof/)
  })
})
