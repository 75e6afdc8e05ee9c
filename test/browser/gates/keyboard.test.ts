// Every page by the keyboard alone: from its top, Tab comes once to whatever can be used, shows where it is, and leads out at the
// end; and the first stop leads to the content.
import { expect, it } from 'vitest'
import { openKeyboard } from './keyboard_laws.ts'
import { type Look, openWalk, type Place } from './walk.ts'

const { visit, walk, press } = openWalk()

/** More are a trap. */
const MOST_STOPS = 400

const tabThrough = async (): Promise<readonly string[]> => {
  const { page } = visit()
  const keyboard = await page.evaluateHandle(openKeyboard)
  const found: string[] = []
  for (let stops = 0; stops <= MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab')
    const here = await keyboard.evaluate(({ arrive }) => arrive())
    found.push(...here.found)
    if (here.isOut) return [...found, ...(await keyboard.evaluate(({ missed }) => missed()))]
    // As the help of the editor says.
    if (here.isEditor) await page.keyboard.press('Escape')
  }
  return [...found, 'Tab does not lead out of the page']
}

/** The next stop after the skip link is in the content, or there is none. */
const skip = async (): Promise<readonly string[]> => {
  const { page } = visit()
  const link = page.locator('.skip-link')
  if ((await link.count()) === 0) return ['there is no skip link']
  await link.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const outside = await page.evaluate(() => {
    const { activeElement, body } = document
    return activeElement === body || activeElement?.closest('main') !== null ? null : activeElement?.className
  })
  return outside === null ? [] : [`the skip link leads to .${outside}`]
}

/** What is folded can be used too. */
const unfold = (): void => {
  for (const fold of document.querySelectorAll('details')) fold.open = true
}

const DEVICES = [
  ['a desktop', { width: 1_440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const

/** All of a phone is covered by the drawer of a beacon, so that what the keyboard comes to below it is not seen. */
const COVERED: Place = '/beacons/:hash'

it('every page on a desktop and on a phone can be walked by the keyboard: each control is one stop with its mark in view, and nothing holds on to it', {
  timeout: 400_000,
}, async () => {
  const look: Look = async (place) => {
    const { page, settled } = visit()
    await press(place)
    const found: string[] = []
    for (const [device, viewport] of DEVICES) {
      if (device === 'a phone' && place === COVERED) continue
      await page.setViewportSize(viewport)
      await page.evaluate(unfold)
      await settled()
      found.push(...[...(await tabThrough()), ...(await skip())].map((one) => `on ${device}: ${one}`))
    }
    return found
  }
  expect(await walk({ reducedMotion: 'reduce' }, look)).toEqual({})
})
