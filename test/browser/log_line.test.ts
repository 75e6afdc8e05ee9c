// The line about the public log on the first page: seen for the first time, consistent, split, and not to be read.
import { expect, it } from 'vitest'
import { consoleTab } from '../support/console_tab.ts'
import { consistencyText, type LogCopy, makeLogCopy } from '../support/log_copy.ts'
import { testApp } from '../support/test_app.ts'

const honest = makeLogCopy({ size: 30 })
const forked = makeLogCopy({ size: 30, forkAt: 7 })

const { page } = consoleTab(testApp(), { keyOf: 'owner' })

const line = () => page().getByTestId('log-line')

/** Opens the page anew, with the log as it was at a size. */
const visit = async (log: LogCopy | undefined, size: number): Promise<void> => {
  await page().unrouteAll()
  await page().route('**/log/**', async (route) => {
    const path = new URL(route.request().url()).pathname
    const [, from, to] = /^\/log\/consistency\/(\d+)\/(\d+)$/.exec(path) ?? []
    if (log === undefined) return route.fulfill({ status: 503 })
    if (path === '/log/checkpoint') return route.fulfill({ body: Buffer.from(log.checkpoint(size)) })
    if (path === '/log/policy') return route.fulfill({ body: Buffer.from(log.policyFile) })
    return route.fulfill({ body: await consistencyText(log, Number(from), Number(to)) })
  })
  await page().goto('/')
  await page().getByTestId('head-hash').waitFor()
  // The line comes when the page has been open for a moment.
  await page().clock.fastForward(3_000)
}

const state = () => line().getAttribute('data-state')

it('compares each visit with the one before, and shows two histories with both checkpoints', async () => {
  await page().clock.install()
  await visit(honest, 20)
  await expect.poll(state).toBe('first')
  expect(await line().innerText()).toContain('20 blocks, seen here for the first time')
  await visit(honest, 30)
  await expect.poll(state).toBe('consistent')
  expect(await line().innerText()).toMatch(/30 blocks, consistent with what you saw on \d{1,2} \w+ \d{4}, /)
  await visit(forked, 30)
  await expect.poll(state).toBe('split')
  expect(await line().getAttribute('role')).toBe('alert')
  const shown = await line().locator('pre').allInnerTexts()
  expect(shown).toEqual([honest, forked].map((log) => Buffer.from(log.checkpoint(30)).toString()))
  // What was seen before stays remembered.
  await visit(forked, 30)
  await expect.poll(state).toBe('split')
  expect(
    await line()
      .getByRole('button', { name: /Copy it: checkpoint/ })
      .count(),
  ).toBe(2)
  await line()
    .getByRole('button', { name: /Begin anew/ })
    .click()
  await expect.poll(state).toBe('first')
  await visit(undefined, 0)
  await expect.poll(state).toBe('failed')
  expect(await line().innerText()).toContain('could not be checked')
})
