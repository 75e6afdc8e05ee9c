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

/** Where the strip of the first page begins depends on its width: each of these cuts it elsewhere. */
const STRIPS = Array.from({ length: 14 }, (_, step) => [330 + 20 * step, 'light'] as const)

/** In these the page is looked at, and last as the walk shows it. */
const WIDTHS = {
  'a desktop': [
    [1_024, 'dark'],
    [1_440, 'light'],
  ],
  'a phone': [
    [320, 'dark'],
    [390, 'light'],
  ],
} as const
type Device = keyof typeof WIDTHS

/** So many times is looked at what does not last. */
const MOST_LOOKS = 20

const cut = async (device: Device, place: Place): Promise<readonly string[]> => {
  const { page } = visit()
  const height = page.viewportSize()?.height ?? 0
  const strips = device === 'a phone' && place === '/' ? STRIPS : []
  const found: string[] = []
  for (const [width, colorScheme] of [...strips, ...WIDTHS[device]]) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    await visit().settled()
    // What follows the size of the window is drawn a little later.
    let texts = await page.evaluate(cutTexts)
    for (let again = 0; texts.length > 0 && again < MOST_LOOKS; again += 1) {
      await visit().settled()
      texts = await page.evaluate(cutTexts)
    }
    found.push(...texts.map((one) => `at ${width} px: ${one}`))
  }
  return found
}

/** All of a phone is covered by the drawer of a beacon, so that what the keyboard comes to below it is not seen. */
const COVERED: Place = '/beacons/:hash'

it.each([
  ['a desktop', { width: 1_440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const)(
  'every page on %s can be walked by the keyboard: each control is one stop with its mark in view, and nothing holds on to it; and no text is cut',
  {
    timeout: 400_000,
  },
  async (device, viewport) => {
    const look: Look = async (place) => {
      await press(place)
      await visit().page.evaluate(unfold)
      await visit().settled()
      const found = await cut(device, place)
      if (device === 'a phone' && place === COVERED) return found
      return [...found, ...(await tabThrough()), ...(await skip())]
    }
    expect(await walk({ reducedMotion: 'reduce', viewport }, look)).toEqual({})
  },
)
