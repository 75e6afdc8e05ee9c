// What the console's pages about webhooks say of signatures, of endpoints that are read instead of called, of a range that
// is sent again and of endpoints that are off, in a real browser. The lines that they show are run as they are shown.
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { consoleTab } from '../support/console_tab.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { ask } from '../support/http.ts'
import { makeResource } from '../support/make_resource.ts'
import { type Heard, openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { testApp } from '../support/test_app.ts'
import { AXE_SCRIPT, axeFindings } from './gates/axe_findings.ts'
import { tooWide } from './gates/page_laws.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert } })
const { page, account, picture } = consoleTab(app, { keyOf: 'newcomer' })
let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
  await page().addInitScript(AXE_SCRIPT)
})
afterEach(async () => {
  await page().close()
  // Nothing is sent to a receiver that is gone.
  await forgetWebhooks(app)
  await receiver?.close()
})

const text = (id: string) => () => page().getByTestId(id).first().innerText()
const exactText = (id: string) =>
  page()
    .getByTestId(id)
    .first()
    .evaluate((one) => one.textContent ?? '')
const main = () => page().locator('main').innerText()

/** What the gates ask of every page, of states that they do not come to. */
const passes = async (name: string): Promise<void> => {
  await picture(name)
  await page().emulateMedia({ reducedMotion: 'reduce' })
  for (const [theme, rules] of [
    ['dark', 'colours'],
    ['light', 'all'],
  ] as const) {
    await page().evaluate((now) => document.documentElement.setAttribute('data-theme', now), theme)
    expect(await axeFindings(page(), rules), `${name} in ${theme}`).toEqual([])
  }
  for (const width of [390, 1_440]) {
    await page().setViewportSize({ width, height: 900 })
    expect(await page().evaluate(tooWide, 'ltr'), `${name} at ${width}`).toEqual([])
  }
}

const submitItem = () => {
  const claims = {
    name: "Somebody's page",
    description: 'One of many pages that were written down that day.',
  }
  return makeResource(app, 'item', { claims }, account().key)
}

const endpoint = (more: object = {}) =>
  makeResource(
    app,
    'webhook_endpoint',
    { url: receiver.url(), resource_type: 'item', events: ['item.created'], ...more },
    account().key,
  )

/** The secret of an endpoint that signs with one, and the end of the key before. */
const rotated = async (
  id: string,
  overlap: number,
): Promise<{ signing_secret: string; former_until: string }> => {
  const path = `/api/json/webhook-endpoints/${id}/rotate-secret`
  const answer = await ask(app.port, path, { key: account().key, body: { json: { data: { overlap } } } })
  return JSON.parse(answer.text).result
}

const heardNow = async (count: number): Promise<Heard> => {
  await expect.poll(() => receiver.heard.length).toBe(count)
  return receiver.heard.at(-1) ?? expect.fail('nothing arrived')
}

const isSigned = (secret: string, { headers, body }: Heard): boolean => {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  try {
    new Webhook(secret).verify(body, named)
    return true
  } catch {
    return false
  }
}

const run = async (line: string, env: NodeJS.ProcessEnv): Promise<string> => {
  const { stdout } = await execute('sh', ['-c', line], { env: { ...process.env, NODE_OPTIONS: '', ...env } })
  return stdout.trim()
}
const execute = promisify(execFile)

describe('a new endpoint', () => {
  it('is signed unless somebody says otherwise, and shows its secret once, with programs that check', async () => {
    await page().goto('/webhooks/new')
    expect(
      await page().getByRole('button', { name: 'Secret', exact: true }).getAttribute('aria-pressed'),
    ).toBe('true')
    await passes('webhook_new')
    await page().getByTestId('url').fill(receiver.url())
    await page().getByTestId('max-per-second').fill('2000')
    await page().getByTestId('save').click()
    await expect.poll(text('field-problem')).toMatch(/1000|1,000/)
    await page().getByTestId('max-per-second').fill('50')
    await page().getByTestId('save').click()
    const secret = await text('secret-once')()
    expect(secret).toMatch(/^whsec_/)
    for (const [name, part] of [
      ['Node', 'standardwebhooks'],
      ['Python', 'def signed_event'],
      ['Shell', 'openssl dgst'],
    ] as const) {
      await page().getByRole('button', { name, exact: true }).click()
      await expect.poll(text('signature-program')).toContain(part)
    }
    expect(await text('signature-program')()).not.toContain(secret)
    await passes('webhook_secret')
    await page().getByTestId('secret-done').click()
    await expect.poll(text('endpoint-state')).toBe('enabled')
    expect(await page().getByTestId('max-per-second').inputValue()).toBe('50')
    await page().getByTestId('test').click()
    expect(isSigned(secret, await heardNow(1))).toBe(true)
    await page().reload()
    await expect.poll(text('signing-keys')).toContain('secret')
    expect(await page().content()).not.toContain(secret)
    const stored = await page().evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(stored).not.toContain(secret)
  })

  it('is tried beside its secret, which stays until it was kept, and has the record of the test then', async () => {
    await page().goto('/webhooks/new')
    await page().getByTestId('url').fill(receiver.url())
    await page().getByTestId('save').click()
    const secret = await text('secret-once')()
    await page().getByTestId('test').click()
    await expect.poll(text('test-outcome')).toMatch(/arrived.*200/s)
    expect(isSigned(secret, await heardNow(1))).toBe(true)
    expect(await text('secret-once')()).toBe(secret)
    // Nothing that the test has brought leads away from the secret.
    expect(await page().locator('main').getByRole('link').count()).toBe(0)
    await passes('webhook_secret_tried')
    await page().getByTestId('secret-done').click()
    await page().getByTestId('delivery-row').getByRole('link').click()
    await expect.poll(text('delivery-status')).toBe('success')
  })

  it('may be one that is read, about other endpoints, and has no address then', async () => {
    await page().goto('/webhooks/new')
    await page().getByRole('button', { name: 'It asks' }).click()
    expect(await page().getByTestId('url').count()).toBe(0)
    await page().getByRole('button', { name: 'Your other endpoints' }).click()
    expect(await page().getByTestId('team').count()).toBe(0)
    await page().getByRole('button', { name: 'Public key' }).click()
    await passes('webhook_new_pull')
    await page().getByTestId('event-webhook_endpoint.failing').uncheck()
    await page().getByTestId('description').fill('What becomes of the others')
    await page().getByTestId('save').click()
    await expect
      .poll(() => page().getByRole('heading', { level: 1 }).innerText())
      .toBe('What becomes of the others')
    const [made] = await app.query<object>(
      'SELECT kind, url, resource_type, events, signing FROM webhook_endpoints',
    )
    expect(made).toEqual({
      kind: 'pull',
      url: null,
      resource_type: 'webhook_endpoint',
      events: ['webhook_endpoint.disabled', 'webhook_endpoint.secret_rotated'],
      signing: 'v1a',
    })
    expect(await text('signing-keys')()).toMatch(/whpk_/)
  })
})

describe('another key', () => {
  it('signs beside the one before until its end, which the page tells again later', async () => {
    const id = await endpoint({ signing: 'v1' })
    const { signing_secret: first } = await rotated(id, 0)
    await page().goto(`/webhooks/${id}`)
    await page().getByTestId('overlap').selectOption('3600')
    await page().getByTestId('rotate').click()
    const second = await text('secret-once')()
    await expect.poll(text('former-until')).toMatch(/until \d+ \w+ \d{4}, \d\d:\d\d UTC/)
    await passes('webhook_rotated')
    await page().getByTestId('secret-done').click()
    expect(
      await page()
        .getByRole('heading', { name: 'Signatures' })
        .evaluate((one) => one === document.activeElement),
    ).toBe(true)
    await submitItem()
    const heard = await heardNow(1)
    expect([isSigned(first, heard), isSigned(second, heard)]).toEqual([true, true])
    await page().reload()
    await expect.poll(text('former-until')).toMatch(/until/)
    await page().getByTestId('overlap').selectOption('0')
    await page().getByTestId('rotate').click()
    await expect.poll(() => page().getByTestId('former-until').count()).toBe(0)
    expect(await text('secret-once')()).not.toBe(second)
  })

  it('is shown to whoever begins to sign, and none is left when signing ends', async () => {
    const id = await endpoint()
    await page().goto(`/webhooks/${id}`)
    await page().getByText('Sign deliveries another way').click()
    await page().getByRole('button', { name: 'Secret', exact: true }).click()
    await page().getByTestId('change-signing').click()
    const secret = await text('secret-once')()
    await submitItem()
    expect(isSigned(secret, await heardNow(1))).toBe(true)
    await page().getByTestId('secret-done').click()
    await page().getByRole('button', { name: 'Not signed' }).click()
    await page().getByTestId('change-signing').click()
    await expect.poll(() => page().getByTestId('rotate').count()).toBe(0)
    await submitItem()
    expect((await heardNow(2)).headers).not.toHaveProperty('webhook-signature')
  })
})

describe('a delivery', () => {
  it.each(['v1', 'v1a'] as const)(
    'shows what was signed with %s, and a line that checks it',
    async (signing) => {
      const id = await endpoint({ signing })
      const secret = signing === 'v1' ? (await rotated(id, 0)).signing_secret : ''
      receiver.respond(503)
      await submitItem()
      const { headers, body } = await heardNow(1)
      receiver.respond(200)
      await app.query(`UPDATE webhook_deliveries SET next_attempt_at = pharos_now() WHERE status = 'pending'`)
      const second = await heardNow(2)
      await page().goto(`/webhooks/deliveries?endpoint=${id}`)
      await page().getByTestId('delivery-row').getByRole('link').click()
      await expect.poll(text('delivery-status')).toBe('success')
      const content = (one: Pick<Heard, 'headers' | 'body'>) =>
        `${one.headers['webhook-id']}.${one.headers['webhook-timestamp']}.${one.body}`
      await expect.poll(() => exactText('signed-content')).toBe(content(second))
      await page().getByTestId('signed-attempt').selectOption('1')
      await expect.poll(() => exactText('signed-content')).toBe(content({ headers, body }))
      const said = async () =>
        run(await exactText('check-line'), {
          WEBHOOK_SECRET: secret,
          WEBHOOK_SIGNATURE: String(headers['webhook-signature']),
        })
      expect(await said()).toBe('true')
      await rotated(id, 3_600)
      await page().reload()
      await page().getByTestId('signed-attempt').selectOption('1')
      await expect.poll(() => exactText('signed-content')).toBe(content({ headers, body }))
      expect(await said()).toBe('true')
      await passes(`webhook_signed_${signing}`)
    },
  )
})

describe('an endpoint that is read', () => {
  it('is told as such: how it is asked, what waits, what was read, and nothing of attempts', async () => {
    const id = await endpoint({ kind: 'pull', url: undefined, signing: 'v1' })
    const { signing_secret: secret } = await rotated(id, 0)
    await page().goto(`/webhooks/${id}`)
    await expect.poll(text('reader')).toContain('Nothing waits')
    await page().getByTestId('test').click()
    await expect.poll(text('test-outcome')).toMatch(/sample is there.*Waits for your program/s)
    await submitItem()
    await expect.poll(text('reader')).toMatch(/2 deliveries not read yet/)
    await passes('webhook_pull_waits')
    const line = await exactText('read-line')
    const read = JSON.parse(await run(line, { PHAROS_API_KEY: account().key, NEXT: '' }))
    expect(read.events).toHaveLength(2)
    await expect.poll(text('reader')).toContain('Nothing waits')
    await expect.poll(text('day-success')).toBe('2')
    expect(await main()).not.toMatch(/p95|got through|retrying|Last success/)
    await passes('webhook_pull')
    const after = await run(line.replace('wait=20', 'wait=0'), {
      PHAROS_API_KEY: account().key,
      NEXT: read.next,
    })
    expect(JSON.parse(after).events).toEqual([])

    await page().getByTestId('delivery-row').first().getByRole('link').click()
    await expect.poll(text('delivery-status')).toBe('read')
    expect(await text('attempts')()).toMatch(/Your program read it/)
    expect(await main()).not.toMatch(/Repeat it as curl|What was answered/)
    await expect.poll(() => exactText('signed-content')).toContain('.<webhook-timestamp>.{')
    const [{ headers, body }] = read.events.filter((one: { id: string }) => page().url().endsWith(one.id))
    const content = (await exactText('signed-content')).replace(
      '<webhook-timestamp>',
      headers['webhook-timestamp'],
    )
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    expect(content.endsWith(`.${body}`)).toBe(true)
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
    )
    await passes('webhook_read')
  })
})

describe('a range', () => {
  it('is counted before it is sent again, goes on while its page is left, and is found again', async () => {
    const id = await endpoint({ events: ['item.created', 'item.deleted'] })
    for (let n = 0; n < 3; n += 1) await submitItem()
    await heardNow(3)
    await expect
      .poll(async () => (await app.query(`SELECT FROM webhook_deliveries WHERE status = 'pending'`)).length)
      .toBe(0)
    await page().goto(`/webhooks/${id}`)
    await page().getByRole('button', { name: 'Everything' }).click()
    await page().getByTestId('again-item.created').uncheck()
    await page().getByTestId('again').click()
    await expect.poll(text('again-count')).toBe('No delivery was made then.')
    await page().getByTestId('again-item.created').check()
    await page().getByTestId('again-item.deleted').uncheck()
    await page().getByTestId('again').click()
    await expect.poll(text('again-count')).toMatch(/^3 deliveries were made then/)
    expect(receiver.heard).toHaveLength(3)
    await passes('webhook_range')
    const held: (() => void)[] = []
    receiver.respond((response) => void held.push(() => response.writeHead(204).end()))
    await page().getByTestId('again').click()
    await expect.poll(text('again-outcome')).toBe('0 of 3 deliveries are over.')
    // The button that had the focus is gone.
    expect(await page().evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await passes('webhook_range_sent')
    await page().getByRole('link', { name: 'See them' }).click()
    await expect.poll(() => page().getByTestId('delivery-row').count()).toBeGreaterThanOrEqual(3)
    await page().goBack()
    await expect.poll(text('again-outcome')).toBe('0 of 3 deliveries are over.')
    await page().reload()
    await expect.poll(text('again-outcome')).toBe('0 of 3 deliveries are over.')
    receiver.respond(204)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const answer of held) answer()
    await expect.poll(text('again-outcome')).toBe('3 deliveries sent again, and over.')
    await page().getByTestId('again-done').click()
    await page().getByRole('button', { name: 'Everything' }).waitFor()
  })
})

describe('an endpoint that is off', () => {
  it('says who switched it off and what brings it back, and others of its owner hear of it', async () => {
    const id = await endpoint()
    const about = await endpoint({
      resource_type: 'webhook_endpoint',
      events: ['webhook_endpoint.disabled'],
      url: receiver.url('127.0.0.1', '/about'),
    })
    receiver.respond((response, { path }) => void response.writeHead(path === '/about' ? 200 : 410).end())
    await submitItem()
    await page().goto(`/webhooks/${id}`)
    await expect.poll(text('endpoint-state')).toBe('gone')
    expect(await main()).toMatch(/answered 410/)
    await passes('webhook_gone')
    await page().getByTestId('pause-endpoint').first().click()
    // Nothing has got through since.
    await expect.poll(text('endpoint-state')).toBe('not getting through')
    await page().getByTestId('pause-endpoint').first().click()
    await expect.poll(text('endpoint-state')).toBe('paused')
    expect(await main()).toMatch(/Paused by its owner/)

    await page().goto(`/webhooks/deliveries?endpoint=${about}`)
    await expect.poll(() => page().getByTestId('delivery-row').count()).toBe(2)
    expect(await text('delivery-row')()).toContain('webhook_endpoint.disabled')
    await passes('webhook_about_endpoints')
    await page().getByTestId('delivery-row').first().getByRole('link').click()
    await page().getByText('about the endpoint').waitFor()
    await page().locator(`a[href="/webhooks/${id}"]`).click()
    await expect.poll(text('endpoint-state')).toBe('paused')
  })
})
