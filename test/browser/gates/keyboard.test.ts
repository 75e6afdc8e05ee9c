// Every page by the keyboard alone: from its top, Tab comes once to whatever can be used, shows where it is, and leads out at the
// end; and the first stop leads to the content. And every text can be read to its end.
import { expect, it } from 'vitest'
import { cutTexts } from './cut_texts.ts'
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

/** In these each page is looked at. In the last of a device it is walked too. */
const DEVICES = [
  [
    'a desktop',
    900,
    [
      [1_024, 'dark'],
      [1_440, 'light'],
    ],
  ],
  [
    'a phone',
    844,
    [
      [320, 'dark'],
      [390, 'light'],
    ],
  ],
] as const

/** Where the strip of the first page begins depends on its width: each of these cuts it elsewhere. */
const STRIPS = Array.from({ length: 14 }, (_, step) => [330 + 20 * step, 'light'] as const)

/** So many times is looked at what does not last. */
const MOST_LOOKS = 20

/** What is cut where the page is so wide and so lit. */
const cutAt = async (width: number, height: number, colorScheme: 'light' | 'dark') => {
  const { page, settled } = visit()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
  await settled()
  // What follows the size of the window is drawn a little later.
  let texts = await page.evaluate(cutTexts)
  for (let again = 0; texts.length > 0 && again < MOST_LOOKS; again += 1) {
    await settled()
    texts = await page.evaluate(cutTexts)
  }
  return texts.map((one) => `at ${width} px: ${one}`)
}

const TOO_LONG = 'Nobody can read this to its end.'

/** Shows a text that is cut. */
const plant = (text: string): void => {
  const planted = document.createElement('p')
  planted.id = 'planted'
  planted.style.cssText = 'width: 40px; overflow: hidden; white-space: nowrap'
  planted.textContent = text
  document.querySelector('main')?.append(planted)
}

/** All of a phone is covered by the drawer of a beacon, so that what the keyboard comes to below it is not seen. */
const COVERED: Place = '/beacons/:hash'

it('every page on a desktop and on a phone can be walked by the keyboard: each control is one stop with its mark in view, and nothing holds on to it; and no text is cut', {
  timeout: 400_000,
}, async () => {
  const look: Look = async (place) => {
    await press(place)
    const found: string[] = []
    if (place === '/') {
      await visit().page.evaluate(plant, TOO_LONG)
      expect(await visit().page.evaluate(cutTexts)).toContainEqual(expect.stringContaining(TOO_LONG))
      await visit().page.evaluate(() => document.querySelector('#planted')?.remove())
    }
    for (const [device, height, looks] of DEVICES) {
      const strips = device === 'a phone' && place === '/' ? STRIPS : []
      await visit().page.evaluate(unfold)
      for (const [width, light] of [...strips, ...looks]) found.push(...(await cutAt(width, height, light)))
      if (device === 'a phone' && place === COVERED) continue
      // What is shown for one width alone may be folded.
      await visit().page.evaluate(unfold)
      await visit().settled()
      found.push(...[...(await tabThrough()), ...(await skip())].map((one) => `on ${device}: ${one}`))
    }
    return found
  }
  expect(await walk({ reducedMotion: 'reduce' }, look)).toEqual({})
})
