// The console's pages about webhooks in a real browser, against the real service and a receiver on this machine.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { turnTo } from '../support/browser.ts'
import { consoleTab } from '../support/console_tab.ts'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { makeResource } from '../support/make_resource.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../support/receiver.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert } })
const { page, account, picture } = consoleTab(app, { keyOf: 'newcomer' })
let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await page().close()
  // Nothing is sent to a receiver that is gone.
  await forgetWebhooks(app)
  await receiver?.close()
})

const text = (id: string) => () => page().getByTestId(id).first().innerText()
const statuses = () =>
  page()
    .getByTestId('delivery-row')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-status')))

const submitItem = () => {
  const claims = { name: 'A page', description: 'One of many pages that were written down that day.' }
  return makeResource(app, 'item', { claims }, account().key)
}

const endpoint = (more: object = {}) => {
  const attributes = { url: receiver.url(), resource_type: 'item', events: ['item.created'], ...more }
  return makeResource(app, 'webhook_endpoint', attributes, account().key)
}

describe('the webhook pages', () => {
  it('say what to do while there is nothing, also about a receiver on this machine', async () => {
    await page().goto('/webhooks')
    await page().getByTestId('no-endpoints').waitFor()
    await page().getByText('Try it with a program of yours on this machine').click()
    expect(await text('no-endpoints')()).toContain('WEBHOOK_ALLOW_ADDRESSES=127.0.0.0/8')
    await picture('webhooks_empty')
    await turnTo(page(), '/webhooks/deliveries')
    await page().getByTestId('no-deliveries').waitFor()
  })

  it('register an endpoint, and put every refusal at its field', async () => {
    await page().goto('/webhooks')
    await page().getByTestId('new-endpoint').click()
    await page().getByText('Example').nth(1).click()
    await picture('webhook_example')
    await page().getByText('Example').nth(1).click()
    await page().getByTestId('save').click()
    await page().getByTestId('field-problem').first().waitFor()
    await page().getByTestId('url').fill('http://ada:secret@10.0.0.1/hook')
    await page().getByRole('button', { name: 'Bearer secret' }).click()
    await page().getByTestId('add-header').click()
    await page().getByLabel('Name of header 1').fill('Host')
    await page().getByLabel('Value of header 1').fill('example.com')
    for (const event of await page().locator('[data-testid^="event-"]').all()) await event.uncheck()
    await page().getByTestId('save').click()
    const problems = async () => (await page().getByTestId('field-problem').allInnerTexts()).join('\n')
    await expect.poll(problems).toMatch(/https:\/\//)
    await expect.poll(problems).toMatch(/at least one event/)
    await expect.poll(problems).toMatch(/secret need/)
    await expect.poll(problems).toMatch(/cannot be set/)
    expect(await page().getByTestId('url').getAttribute('aria-invalid')).toBe('true')
    await picture('webhook_refused')

    await page().getByTestId('url').fill(receiver.url())
    await page().getByTestId('secret').fill('a-secret-nobody-sees')
    await page().getByTestId('event-item.created').check()
    await page().getByTestId('event-item.deleted').check()
    await page().getByLabel('Name of header 1').fill('X-Team')
    await page().getByTestId('description').fill('The archive')
    await page().getByTestId('save').click()
    await page().getByTestId('secret-done').click()
    await expect.poll(text('endpoint-state')).toBe('enabled')
    const [kept] = await app.query<{
      events: string[]
      custom_header_names: string[]
      description: string
    }>('SELECT events, custom_header_names, description FROM webhook_endpoints')
    expect(kept).toEqual({
      events: ['item.created', 'item.deleted'],
      custom_header_names: ['X-Team'],
      description: 'The archive',
    })

    await page().getByTestId('test').click()
    await expect.poll(text('test-outcome')).toMatch(/arrived.*200/s)
    expect(receiver.heard.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer a-secret-nobody-sees',
      'x-team': 'example.com',
    })
    // A test is no event, and an endpoint that was tested was called.
    expect(await page().locator('main').innerText()).toMatch(/No event was sent to it yet/)
    expect(await page().locator('main').innerText()).not.toMatch(/Not called/)
    await picture('webhook_endpoint')
    // A reload shows that secrets are there, and not what they are.
    await page().reload()
    await expect.poll(() => page().locator('main').innerText()).toContain('Replace them')
    expect(await page().content()).not.toContain('a-secret-nobody-sees')
    expect(await page().getByTestId('secret').inputValue()).toBe('')
    const stored = await page().evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    expect(stored).not.toContain('a-secret-nobody-sees')
  })

  it('keep what is not touched when an endpoint is changed', async () => {
    const id = await endpoint({ auth_type: 'bearer', auth_secret: 'first', custom_headers: { 'X-A': '1' } })
    await page().goto(`/webhooks/${id}`)
    await page().getByTestId('description').fill('Renamed')
    await page().getByTestId('save').click()
    await expect.poll(text('form-outcome')).toBe('Saved.')
    await page().getByTestId('test').click()
    await expect.poll(text('test-outcome')).toContain('arrived')
    expect(receiver.heard.at(-1)?.headers).toMatchObject({ authorization: 'Bearer first', 'x-a': '1' })
    await page().getByTestId('replace-headers').click()
    await page().getByLabel('Value of header 1').fill('2')
    await page().getByTestId('save').click()
    await page().getByTestId('replace-headers').waitFor()
    await page().getByTestId('test').click()
    await expect.poll(() => receiver.heard.at(-1)?.headers['x-a']).toBe('2')
    expect(receiver.heard.at(-1)?.headers.authorization).toBe('Bearer first')
  })

  it('ask for the secret and the headers again when the address leads to another host', async () => {
    const id = await endpoint({ auth_type: 'bearer', auth_secret: 'first', custom_headers: { 'X-A': '1' } })
    await page().goto(`/webhooks/${id}`)
    await page().getByTestId('url').fill('https://elsewhere.invalid/')
    await page().getByTestId('save').click()
    const problems = async () => (await page().getByTestId('field-problem').allInnerTexts()).join('\n')
    await expect.poll(problems).toMatch(/type the secret for it.*give the headers again/s)
    await page().getByTestId('secret').fill('second')
    await page().getByTestId('replace-headers').click()
    await page().getByLabel('Value of header 1').fill('2')
    await page().getByTestId('save').click()
    await expect.poll(text('form-outcome')).toBe('Saved.')
  })

  it('show a delivery as it happens, with its record', async () => {
    await endpoint()
    await page().goto('/webhooks/deliveries')
    await expect.poll(text('live-line')).toMatch(/Live/)
    await page().evaluate(() => Object.assign(window, { notReloaded: true }))
    const item = await submitItem()
    await expect.poll(statuses).toEqual(['success'])
    expect(await page().evaluate(() => 'notReloaded' in window)).toBe(true)
    await page().getByTestId('delivery-row').getByRole('link').click()
    await expect.poll(text('payload')).toContain(item)
    expect(await text('attempts')()).toMatch(/Answered 200.*127\.0\.0\.1/s)
    await picture('webhook_delivery')
  })

  it('plan a retry when the receiver is broken, follow it live, and send again when asked', async () => {
    receiver.respond((response) => void response.writeHead(503).end('not today'))
    const id = await endpoint()
    await submitItem()
    await page().goto(`/webhooks/deliveries?status=pending&endpoint=${id}`)
    await expect.poll(text('delivery-row')).toMatch(/Answered 503.*retrying/s)
    await page().getByTestId('delivery-row').getByRole('link').click()
    await expect.poll(text('delivery-status')).toBe('retrying')
    await expect.poll(text('next-attempt')).toMatch(/next in \d+:\d\d|due now/)
    expect(await text('response')()).toBe('not today')
    await picture('webhook_retry')
    receiver.respond(200)
    // The page hears of the second attempt by itself.
    await app.query(`UPDATE webhook_deliveries SET next_attempt_at = pharos_now() WHERE status = 'pending'`)
    await expect.poll(text('delivery-status')).toBe('success')
    expect(await page().getByTestId('attempt').count()).toBeGreaterThanOrEqual(2)
    const first = page().url()
    await page().getByTestId('redeliver').click()
    await expect.poll(() => page().url()).not.toBe(first)
    await expect.poll(text('delivery-status')).toBe('success')
    await expect.poll(() => page().getByTestId('series').getByRole('listitem').count()).toBe(2)
    const ids = receiver.heard.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  it('show on an endpoint that it is failing now, and its last 24 hours by the hour', async () => {
    receiver.respond((response) => void response.writeHead(500).end())
    const id = await endpoint()
    await submitItem()
    await page().goto('/webhooks')
    await expect.poll(text('endpoint-state')).toBe('not getting through')
    expect(await text('endpoint')()).toContain('Last failure')
    await page().getByTestId('endpoint').getByRole('link').first().click()
    expect(page().url()).toContain(id)
    await expect.poll(text('day-retrying')).toBe('1')
    expect(await text('newest-error')()).toContain('the receiver answered 500')
    const day = page().getByTestId('endpoint-day')
    expect(await page().getByTestId('duration-bars-bar').count()).toBe(24)
    expect(await page().getByTestId('duration-bars').getAttribute('aria-label')).toMatch(/half within \d+ ms/)
    expect(await day.getByRole('img').first().getAttribute('aria-label')).toContain('1 retrying')
    expect(await page().getByTestId('day-bars-bar').count()).toBe(24)
    await day.getByText('Hour by hour').click()
    expect(await day.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^\d\d:00 1 retrying; half within [\d,]+ ms, 95 % within [\d,]+ ms$/),
    ])
    await picture('webhook_day')
  })

  it('narrow the list by the address, and keep it still while it is paused', async () => {
    await endpoint()
    await page().goto('/webhooks/deliveries')
    await expect.poll(text('live-line')).toMatch(/Live/)
    await submitItem()
    await expect.poll(statuses).toEqual(['success'])
    await page().getByTestId('pause').click()
    await submitItem()
    await submitItem()
    await expect.poll(text('new-count')).toBe('2 new')
    expect(await statuses()).toHaveLength(1)
    await page().getByTestId('new-count').click()
    await expect.poll(statuses).toHaveLength(3)
    await picture('webhook_deliveries')
    await page().getByTestId('filter-status').selectOption('failed')
    await page().getByTestId('no-deliveries').waitFor()
    expect(new URL(page().url()).search).toBe('?status=failed')
    await page().getByTestId('clear-filter').click()
    await expect.poll(statuses).toHaveLength(3)
    await page().getByTestId('filter-to').fill('2020-01-01T00:00')
    await page().getByTestId('no-deliveries').waitFor()
    expect(new URL(page().url()).searchParams.get('to')).toBe('2020-01-01T00:00')
  })

  it('draw a line between two deliveries', async () => {
    await endpoint()
    await submitItem()
    await submitItem()
    await page().goto('/webhooks/deliveries')
    await expect.poll(statuses).toHaveLength(2)
    const lines = await page()
      .getByTestId('delivery-row')
      .evaluateAll((rows) => rows.map((row) => getComputedStyle(row).borderBottomWidth))
    expect(lines).toEqual(['1px', '1px'])
    // The day stands in the first row alone.
    const days = page().getByTestId('delivery-row').locator('time small:not(.visually-hidden)')
    expect(await days.count()).toBe(1)
  })

  it('change no other page by the styles that they bring', async () => {
    await page().setViewportSize({ width: 800, height: 900 })
    await page().goto('/chain')
    const times = page().locator('main li time')
    const placed = () => times.evaluateAll((all) => all.map((time) => getComputedStyle(time).gridRow))
    await times.first().waitFor()
    const before = await placed()
    await page().evaluate(() => window.history.pushState(null, '', '/webhooks/deliveries'))
    await page().evaluate(() => window.dispatchEvent(new PopStateEvent('popstate')))
    await page().getByTestId('no-deliveries').waitFor()
    await page().goBack()
    await times.first().waitFor()
    expect(await placed()).toEqual(before)
  })

  it('load older deliveries as the list is scrolled', async () => {
    const id = await endpoint()
    await app.query(
      `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                       creator_id, team_id, visibility, status, payload, completed_at)
       SELECT '01a2ce8c-be60-7000-8000-' || lpad(n::text, 12, '0'), $1, $2, 'item.created', 'item', 'item-' || n,
              'msg_' || n, $1, $3, 'private', 'failed', '{}', pharos_now()
         FROM generate_series(1, 130) AS n`,
      [account().userId, id, account().teamId],
    )
    await page().goto('/webhooks/deliveries')
    await page().getByText('item-130').waitFor()
    await picture('webhook_history')
    const bottom = async () => {
      await page().evaluate(() => window.scrollTo({ top: document.body.scrollHeight }))
      return page().getByText('item-1', { exact: true }).count()
    }
    await expect.poll(bottom).toBe(1)
  })

  it('pause an endpoint, recover what it missed, and delete it; its deliveries stay', async () => {
    await endpoint()
    await page().goto('/webhooks')
    await expect.poll(text('endpoint-state')).toBe('enabled')
    await page().getByTestId('pause-endpoint').click()
    await expect.poll(text('endpoint-state')).toBe('paused')
    await picture('webhooks')
    await submitItem()
    await page().getByTestId('endpoint').getByRole('link').first().click()
    await expect.poll(statuses).toEqual(['cancelled'])
    expect(receiver.heard).toHaveLength(0)
    await page().getByTestId('pause-endpoint').click()
    await expect.poll(text('endpoint-state')).toBe('enabled')
    await page().getByTestId('again').click()
    await expect.poll(text('again-outcome')).toBe('1 delivery sent again, and over.')
    await expect.poll(statuses).toEqual(['success', 'cancelled'])
    await page().getByTestId('delete').click()
    await page().getByTestId('confirm').waitFor()
    await page().keyboard.press('Escape')
    await expect.poll(() => page().getByTestId('confirm').count()).toBe(0)
    await page().getByTestId('delete').click()
    await picture('webhook_delete')
    await page().getByTestId('delete-sure').click()
    await page().getByTestId('no-endpoints').waitFor()
    await page().getByRole('navigation', { name: 'Webhooks' }).getByText('Deliveries').click()
    await expect.poll(statuses).toEqual(['success', 'cancelled'])
    expect(await text('delivery-row')()).toContain('deleted endpoint')
  })

  it('say when the plan has no room for another, and keep what was typed until it is sent', async () => {
    await app.query(`UPDATE users SET plan = 'free' WHERE id = $1`, [account().userId])
    await page().goto('/webhooks/new')
    await page().getByTestId('url').fill(receiver.url())
    await page().getByTestId('save').click()
    await expect.poll(text('form-problem')).toMatch(/plan \(free\) includes no webhook endpoints/)
    await page().getByRole('link', { name: 'Items', exact: true }).click()
    await page().getByRole('heading', { name: 'Items', level: 1, exact: true }).waitFor()
    await page().goBack()
    await expect.poll(() => page().getByTestId('url').inputValue()).toBe(receiver.url())
  })

  it('fit a narrow screen', async () => {
    const id = await endpoint({ description: 'Somewhere with a long name' })
    await submitItem()
    await page().setViewportSize({ width: 390, height: 844 })
    await page().goto('/webhooks')
    for (const path of ['/webhooks', `/webhooks/${id}`, '/webhooks/new', '/webhooks/deliveries']) {
      await turnTo(page(), path)
      await page().getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page().locator('[aria-busy=true]').count()).toBe(0)
      expect(await page().evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
      await picture(`narrow${path.replaceAll('/', '_').replace(id, 'id')}`)
    }
  })

  it('tell on the first page how the outside world is', async () => {
    await page().goto('/')
    await expect.poll(text('outside')).toMatch(/No public chain is in use/)
    await picture('outside')
  })
})
