// The ten tasks of the console, each in the fewest actions that it takes, by somebody who is signed in, has nothing yet, and
// looks at the first page.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { NO_CHAINS } from '../support/app.ts'
import { consoleTab } from '../support/console_tab.ts'
import { dropFiles } from '../support/drop_files.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { ask } from '../support/http.ts'
import { readOts } from '../support/ots_reader.ts'
import { openReceiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { testApp } from '../support/test_app.ts'

/** An action is a press, a drop, a field that is typed into, or a key that decides. To look on is none. */
const TASKS = {
  submit: ['drop the file', 'Timestamp'],
  follow: [],
  save: ['Save the proof'],
  verify: ['drop the file and its proof'],
  spotForgery: ['drop the file and its proof'],
  findByTime: ['/', 'type the time', 'Enter'],
  endpointAndTest: ['Webhooks', 'New endpoint', 'type its address', 'Enter', 'Send a test'],
  key: ['Account', 'API keys', 'type what it is for', 'Enter'],
  invite: ['Account', 'the team', 'type the e-mail address', 'Enter'],
  draw: ['Chain', 'Draw winners', 'type how many take part'],
} as const

/** Makes a block a second, and commits them to the development chain. */
const app = testApp({
  blockIntervalMs: 1_000,
  chains: { ...NO_CHAINS, names: ['embedded'], intervals: { ...NO_CHAINS.intervals, embedded: 3_000 } },
  webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert },
})
const { page } = consoleTab(app, { keyOf: 'newcomer' })

const data = Buffer.from('What was on the paper.\n')
const digest = createHash('sha256').update(data).digest('hex')
let desktop: string
let paper: string
beforeAll(async () => {
  desktop = await mkdtemp(join(tmpdir(), 'pharos-ten-tasks-'))
  paper = await put('paper.txt', data)
})
afterAll(() => rm(desktop, { recursive: true, force: true }))

const put = async (name: string, content: string | Uint8Array): Promise<string> => {
  const path = join(desktop, name)
  await writeFile(path, content)
  return path
}

const at = (id: string) => page().getByTestId(id)
const text = (id: string) => () => at(id).innerText()

const look = async (): Promise<void> => {
  await page().goto('/')
  await at('stamp').waitFor()
}

let done: string[] = []
beforeEach(async () => {
  done = []
  await look()
})
/** What the person did since this was asked last. */
const did = (): readonly string[] => done.splice(0)

const act = <Result>(what: string, doing: Promise<Result>): Promise<Result> => {
  done.push(what)
  return doing
}
const named = (name: string): Locator => {
  const exactly = { name, exact: true }
  return page()
    .getByRole('button', exactly)
    .or(page().getByRole('link', exactly))
    .or(page().getByRole('menuitem', exactly))
}
const press = (what: string, one = named(what)) => act(what, one.click())
const drop = (what: string, ...files: readonly string[]) => act(`drop ${what}`, dropFiles(page(), files))
const type = (what: string, field: string, words: string) => act(`type ${what}`, at(field).fill(words))
const key = (name: string) => act(name, page().keyboard.press(name))

/** The file that a press gives. */
const saved = async (what: string): Promise<string> => {
  const [download] = await Promise.all([page().waitForEvent('download'), press(what)])
  const path = join(desktop, download.suggestedFilename())
  await download.saveAs(path)
  return path
}

describe('the ten tasks', () => {
  it('submit, follow, save, verify, spot a forgery: a file becomes a proof, and both are one drop', async () => {
    const sent: string[] = []
    page().on('request', (request) => sent.push(request.postData() ?? ''))
    await page().getByText('Drop a file: get a timestamp').waitFor()
    await drop('the file', paper)
    await expect.poll(text('outgoing')).toContain(digest)
    await press('Timestamp')
    await expect.poll(text('way-line')).toMatch(/^Handed in \d\d:\d\d:\d\d UTC · /)
    expect(did()).toEqual(TASKS.submit)
    expect(sent.join('\n')).not.toContain('on the paper')

    await expect.poll(text('way-line')).toMatch(/ · in block [\d,]+ · on the development chain$/)
    expect(did()).toEqual(TASKS.follow)
    expect(await text('trial')()).toMatch(/^Trial mode: this proof is for practice/)

    const proof = await saved('Save the proof')
    expect(did()).toEqual(TASKS.save)
    expect(readOts(await readFile(await saved('Save as .ots'))).digest.toString('hex')).toBe(digest)
    did()

    const check = async (file: string, itsProof: string): Promise<readonly string[]> => {
      await look()
      await expect.poll(text('way-line')).toMatch(/development chain$/)
      await drop('the file and its proof', file, itsProof)
      await at('verdict').waitFor()
      return did()
    }
    expect(await check(paper, proof)).toEqual(TASKS.verify)
    await expect.poll(() => at('verdict').getAttribute('data-verdict')).toBe('valid')
    await expect
      .poll(text('verdict-sentence'))
      .toMatch(/^paper\.txt existed on \d{1,2} \w+ \d{4}, \d\d:\d\d UTC\.$/)

    const changed = await put('changed.txt', 'What was on no paper.\n')
    expect(await check(changed, proof)).toEqual(TASKS.spotForgery)
    await expect.poll(text('verdict-sentence')).toBe('changed.txt is not the file of this proof.')
    const forged = await put('forged.json', (await readFile(proof, 'utf8')).replace('paper.txt', 'order.txt'))
    expect(await check(paper, forged)).toEqual(TASKS.spotForgery)
    await expect.poll(text('verdict-sentence')).toMatch(/^This proof does not hold/)
  })

  it('find by time', async () => {
    const [block] = await app.query<{ hash: string; time: string }>(
      `SELECT encode(block_hash, 'hex') AS hash, to_char(finalized_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') AS time
         FROM blocks ORDER BY height DESC LIMIT 1`,
    )
    await key('/')
    await type('the time', 'palette-input', block?.time ?? '')
    await page()
      .getByRole('option', { name: /^Blocks of/, selected: true })
      .waitFor()
    await key('Enter')
    await page().locator(`[data-testid=beacon-row][data-hash="${block?.hash}"]`).waitFor()
    expect(did()).toEqual(TASKS.findByTime)
  })

  it('endpoint and test', async () => {
    const receiver = await openReceiver()
    try {
      await press('Webhooks')
      await press('New endpoint')
      await type('its address', 'url', receiver.url())
      await key('Enter')
      await press('Send a test')
      await expect.poll(text('test-outcome')).toMatch(/arrived.*200/s)
      expect(receiver.heard).toHaveLength(1)
      expect(did()).toEqual(TASKS.endpointAndTest)
    } finally {
      await forgetWebhooks(app)
      await receiver.close()
    }
  })

  it('key', async () => {
    await press('Account')
    await press('API keys')
    await type('what it is for', 'key-name', 'Nightly job')
    await key('Enter')
    const secret = await text('secret-once')()
    expect(did()).toEqual(TASKS.key)
    expect((await ask(app.port, '/api/json/users/me', { key: secret })).status).toBe(200)
  })

  it('invite', async () => {
    await press('Account')
    await press('the team', at('account-team'))
    await type('the e-mail address', 'invite-email', 'grace@example.com')
    await key('Enter')
    expect(await text('secret-once')()).toContain('#token=')
    expect(did()).toEqual(TASKS.invite)
  })

  it('draw', async () => {
    await press('Chain')
    await press('Draw winners')
    await type('how many take part', 'draw-n', '12')
    await expect.poll(text('draw-text')).toContain('\nn 12\n')
    await expect.poll(text('winners')).toMatch(/^([1-9]|1[0-2])$/)
    expect(did()).toEqual(TASKS.draw)
  })
})
