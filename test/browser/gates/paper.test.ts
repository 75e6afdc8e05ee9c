// What comes out of the printer where there is a sheet for it.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openWalk } from './walk.ts'

const { furnished, enter, press } = openWalk()

/** Chromium writes the objects of a document as text. */
const sheets = async (page: Page): Promise<number> => {
  const pdf = await page.pdf({
    format: 'A4',
    margin: { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' },
  })
  return pdf.toString('latin1').match(/\/Type\s*\/Page(?!\w)/g)?.length ?? 0
}

/** What is of no use on paper, and is there. Evaluated in the page. */
const useless = (): string[] =>
  [...document.querySelectorAll('button, input, select, textarea, form, nav, summary, .top-bar, .skip-link')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => `${one.tagName.toLowerCase()}.${one.className}`)

it.each([
  [
    'an item',
    '/items/:id',
    [
      /Lease <U\+202E>fdp\.w+/,
      /(ab){32}/,
      /Handed in\s+20\d\d-/,
      /Block 1\s+20\d\d-/,
      /\/verify\/item\//,
      /pharos/,
    ],
  ],
  [
    'a verification',
    '/verify/:type/:id',
    [/Verdict/, /<U\+202E>fdp/, /(ab){32}/, /Verified\s+20\d\d-/, /\/verify\b/, /pharos/],
  ],
] as const)(
  '%s is one sheet of paper with all that somebody needs to check it, and nothing to press',
  async (_, route, words) => {
    const { page, show } = await enter({})
    await show(furnished().addresses[route])
    await press(route)
    expect(await sheets(page)).toBe(1)
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(useless)).toEqual([])
    const text = await page.locator('body').innerText()
    for (const one of words) expect(text).toMatch(one)
  },
)

it('an article is printed on as many sheets as it needs', async () => {
  const { page } = await enter({ start: `${furnished().app.base}/docs/proofs` })
  expect(await sheets(page)).toBeGreaterThan(1)
})
