// The built-in receiver in a real browser: from an account with nothing to a delivery that is seen to arrive.
import { describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { openTestApp } from '../support/app.ts'
import { consoleTab } from '../support/console_tab.ts'
import { claimsOf } from '../support/ledger.ts'
import { makeResource } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()
const { page, account, picture } = consoleTab(app, { keyOf: 'newcomer' })

const text = (id: string) => () => page().getByTestId(id).first().innerText()
const answered = () =>
  page()
    .getByTestId('arrival')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-answered')))

describe('the built-in receiver', () => {
  it('takes a newcomer from nothing to a delivery that arrives, is refused, and is tried again', async () => {
    await page().goto('/webhooks')
    await page().getByTestId('receiver-offer').getByRole('link').click()
    await page().getByTestId('no-addresses').waitFor()
    await page().getByTestId('make-address').click()
    const url = await page().getByTestId('receiver-url').innerText()
    expect(url).toMatch(/^https:\/\/receiver\.pharos\.test\/[\w-]{43}$/)
    await page().getByTestId('nothing-arrived').waitFor()

    await page().getByTestId('make-endpoint').click()
    expect(await page().getByTestId('url').inputValue()).toBe(url)
    await page().getByRole('button', { name: 'Bearer secret' }).click()
    await page().getByTestId('secret').fill('known to both')
    await page().getByTestId('save').click()
    await page().getByTestId('secret-done').click()
    await page().getByRole('link', { name: 'see what arrives' }).click()

    await page().getByTestId('test').click()
    await expect.poll(answered).toEqual(['ok'])
    await expect.poll(text('test-outcome')).toContain('The sample arrived.')
    expect(await page().getByTestId('arrival-secret').getAttribute('data-secret')).toBe('matches')
    expect(await text('arrival-signature')()).toMatch(/^By 1 key \(v1\)/)
    await picture('receiver')
    const headers = await text('arrival-headers')()
    expect(headers).toMatch(/x-pharos-event\s+item\.created/)
    expect(headers).toMatch(/authorization\s+hidden/)
    expect(await page().content()).not.toContain('known to both')
    expect(JSON.parse(await text('arrival-body')())).toMatchObject({
      type: 'item.created',
      data: { test: true },
    })

    await page().getByRole('button', { name: '500', exact: true }).click()
    await expect
      .poll(() => page().getByRole('button', { name: '500', exact: true }).getAttribute('aria-pressed'))
      .toBe('true')
    await makeResource(app, 'item', { claims: claimsOf('A page') }, account().key)
    await expect.poll(answered).toEqual(['error', 'ok'])
    await page().getByTestId('arrival-delivery').click()
    await expect.poll(text('delivery-status')).toBe('retrying')
    expect(await text('attempts')()).toMatch(/Answered 500[\s\S]*127\.0\.0\.1/)
    expect(await text('sent-headers')()).toMatch(/authorization\s+hidden/)
  })

  it('has a few addresses for an account, and forgets one when told to', async () => {
    await page().goto('/webhooks/receiver')
    const links = page().getByRole('navigation', { name: 'Addresses of the receiver' }).getByRole('link')
    await page().getByTestId('make-address').click()
    const first = await page().getByTestId('receiver-url').innerText()
    await page().getByTestId('make-address').click()
    await expect.poll(() => links.count()).toBe(2)
    expect(await page().getByTestId('receiver-url').innerText()).not.toBe(first)
    await page().getByTestId('forget-address').click()
    await expect.poll(() => links.count()).toBe(0)
    expect(await page().getByTestId('receiver-url').innerText()).toBe(first)
  })

  it('says where it is off, and what to do instead', async () => {
    const beside = await openTestApp({ beside: app, trustedProxies: addressRanges('10.0.0.0/8') })
    try {
      await page().goto(`${beside.base}/webhooks/receiver`)
      await expect.poll(text('receiver-off')).toMatch(/A proxy stands in front[\s\S]*WEBHOOK_ALLOW_ADDRESSES/)
    } finally {
      await beside.close()
    }
  })
})
