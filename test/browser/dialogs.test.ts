// What stands over a page, in a real browser: dialogs and tips keep the keyboard, and the page's policy holds.
import { beforeAll, describe, expect, it } from 'vitest'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { consoleTab } from '../support/console_tab.ts'
import { makeResource } from '../support/make_resource.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.0/8') } })
const { page, picture } = consoleTab(app, { keyOf: 'owner' })
beforeAll(() => app.finalize(40))

const focused = () =>
  page().evaluate(() => {
    const label = (element: Element | null) =>
      element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    return label(document.activeElement)
  })
const isFocusIn = (testId: string) =>
  page()
    .getByTestId(testId)
    .evaluate((dialog) => dialog.contains(document.activeElement))
const scrolling = () => page().evaluate(() => getComputedStyle(document.body).overflowY)

/** Of the page below, as far as screen readers are told. */
const nameplate = () => page().getByRole('link', { name: 'Pharos' })

const chainPage = async () => {
  await page().goto('/chain')
  await page().getByTestId('pause').waitFor()
  await page().getByTestId('status').waitFor()
}

const endpointPage = async () => {
  const attributes = { url: 'https://127.0.0.1:9/hook', resource_type: 'item', events: ['item.created'] }
  await page().goto(`/webhooks/${await makeResource(app, 'webhook_endpoint', attributes)}`)
}

const DIALOGS = [
  { testId: 'help', opener: 'Keyboard help', first: 'Close', role: 'dialog', go: chainPage },
  { testId: 'confirm', opener: 'Delete…', first: 'Keep it', role: 'alertdialog', go: endpointPage },
] as const

describe('a dialog', () => {
  it.each(DIALOGS)(
    'keeps the focus, and gives it back: $testId',
    async ({ testId, opener, first, role, go }) => {
      await go()
      await page().getByRole('button', { name: opener }).focus()
      await page().keyboard.press('Enter')
      await page().getByTestId(testId).waitFor()
      expect(await page().getByTestId(testId).getAttribute('role')).toBe(role)
      expect(await page().getByRole(role).getAttribute('aria-labelledby')).toMatch(/./)
      expect(await focused()).toBe(first)
      // The page behind it neither scrolls nor is read out.
      expect(await scrolling()).toBe('hidden')
      expect(await nameplate().count()).toBe(0)
      for (const key of ['Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
        await page().keyboard.press(key)
        expect(await isFocusIn(testId)).toBe(true)
      }
      await picture(testId)
      await page().keyboard.press('Escape')
      await page().getByTestId(testId).waitFor({ state: 'detached' })
      await expect.poll(focused).toBe(opener)
      expect(await scrolling()).not.toBe('hidden')
      expect(await nameplate().count()).toBe(1)
    },
  )

  it('with something to read closes by a click beside it; with a question it waits for an answer', async () => {
    await chainPage()
    await page().getByRole('button', { name: 'Keyboard help' }).click()
    await page().getByTestId('help').waitFor()
    await page().mouse.click(5, 450)
    await page().getByTestId('help').waitFor({ state: 'detached' })
    await page().evaluate(
      (key) => {
        window.location.hash = `key=${key}`
      },
      (await app.account('grace')).key,
    )
    const choice = page().getByTestId('account-choice')
    await expect.poll(() => choice.innerText()).toMatch(/ada.*grace/s)
    await picture('account_choice')
    await page().mouse.click(5, 450)
    expect(await choice.count()).toBe(1)
    await page().getByTestId('stay').click()
    await choice.waitFor({ state: 'detached' })
  })

  it('has the keys of the page to itself', async () => {
    await chainPage()
    await page().keyboard.press('?')
    await page().getByTestId('help').waitFor()
    await page().keyboard.press('p')
    expect(await page().getByTestId('pause').getAttribute('aria-pressed')).toBe('false')
    await page().keyboard.press('Escape')
    await page().getByTestId('help').waitFor({ state: 'detached' })
    await page().keyboard.press('p')
    await expect.poll(() => page().getByTestId('pause').getAttribute('aria-pressed')).toBe('true')
  })
})

describe('a tip', () => {
  it('comes for the keyboard as for the mouse, and goes with Escape', async () => {
    await chainPage()
    const tip = page().getByRole('tooltip')
    await page().getByTestId('theme').hover()
    await expect.poll(() => tip.innerText()).toBe('Dark theme')
    await page().mouse.move(600, 600, { steps: 5 })
    await tip.waitFor({ state: 'detached' })
    await page().getByTestId('theme').focus()
    await page().keyboard.press('Shift+Tab')
    await expect.poll(() => tip.innerText()).toBe('Keyboard help (?)')
    expect(await page().getByRole('button', { name: 'Keyboard help' }).getAttribute('aria-describedby')).toBe(
      await tip.getAttribute('id'),
    )
    await picture('tip')
    await page().keyboard.press('Escape')
    await tip.waitFor({ state: 'detached' })
  })
})
