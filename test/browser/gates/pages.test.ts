// Every page of the console, with something on it, and what is shown without a key: names and contrasts, colours of the
// system, paper, rest, every width, 400 % zoom, and a layout that stays where it is, whatever else was loaded.
import { expect, it } from 'vitest'
import { allSheets, changedBy } from './all_sheets.ts'
import { AXE_SCRIPT, axeFindings } from './axe_findings.ts'
import {
  chosenIsSeen,
  coversPaper,
  markFresh,
  motion,
  SHIFTS_SCRIPT,
  shifted,
  tooWide,
  zoomed,
} from './page_laws.ts'
import { type Look, openWalk } from './walk.ts'

const { furnished, visit, walk, press } = openWalk()

/** 1280×1024 at 400 %. */
const ZOOMED = { width: 320, height: 256 } as const
const WIDE = { width: 1440, height: 900 } as const
const PHONE = { width: 390, height: 844 } as const

/** Each page is looked at in these lights while it is open. */
const LIGHTS = [
  [
    'in the light',
    { colorScheme: 'light', forcedColors: 'none' },
    async () => [...(await axeFindings(visit().page)), ...(await visit().page.evaluate(motion))],
  ],
  [
    'in the colours of the system',
    { colorScheme: 'light', forcedColors: 'active' },
    async () => [
      ...(await axeFindings(visit().page, 'colours')),
      ...(await visit().page.evaluate(chosenIsSeen)),
    ],
  ],
  ['in the dark', { colorScheme: 'dark', forcedColors: 'none' }, () => axeFindings(visit().page, 'colours')],
  [
    'on paper, in the night',
    { colorScheme: 'dark', forcedColors: 'none', media: 'print' },
    async () => [
      ...(await axeFindings(visit().page, 'colours')),
      ...(await visit().page.evaluate(coversPaper)),
    ],
  ],
] as const

/** A tablet, a phone and the narrowest, which show other parts than a desktop does. */
const DARK_WIDTHS = [1_024, 390, 320] as const

/** A desktop and a phone, in both ways that text goes; a tablet, and a desktop at 200 % zoom. */
const WIDTHS = [
  [1_440, 'rtl'],
  [390, 'rtl'],
  [390, 'ltr'],
  [640, 'ltr'],
  [1_024, 'ltr'],
  [1_440, 'ltr'],
] as const

/** Nothing is wider than the window, also where everything is read from right to left. */
const widths = async (): Promise<string[]> => {
  const found: string[] = []
  for (const [width, direction] of WIDTHS) {
    await visit().page.setViewportSize({ width, height: WIDE.height })
    const wide = await visit().page.evaluate(tooWide, direction)
    found.push(...wide.map((one) => `at ${width} px, ${direction}: ${one}`))
  }
  return found
}

it('every page can be read at any width and at 400 % zoom, passes axe in any light, on a phone and on paper, keeps its marks, and rests when no motion is wanted', {
  timeout: 400_000,
}, async () => {
  const look: Look = async (place) => {
    await press(place)
    const zoom = [...(await visit().page.evaluate(tooWide, 'ltr')), ...(await visit().page.evaluate(zoomed))]
    const found = zoom.map((one) => `at 400 %: ${one}`)
    await visit().page.setViewportSize(WIDE)
    for (const [light, media, find] of LIGHTS) {
      await visit().page.emulateMedia(media)
      await visit().settled()
      await visit().page.evaluate(markFresh)
      found.push(...(await find()).map((one) => `${light}: ${one}`))
    }
    await visit().page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    await visit().page.setViewportSize(PHONE)
    await visit().settled()
    found.push(...(await axeFindings(visit().page)).map((one) => `on a phone: ${one}`))
    await visit().page.emulateMedia({ colorScheme: 'dark' })
    for (const width of DARK_WIDTHS) {
      await visit().page.setViewportSize({ width, height: WIDE.height })
      await visit().settled()
      const colours = await axeFindings(visit().page, 'colours')
      found.push(...colours.map((one) => `in the dark at ${width} px: ${one}`))
    }
    await visit().page.emulateMedia({ colorScheme: 'light' })
    found.push(...(await widths()))
    // The next page comes narrow, as to somebody who has zoomed already.
    await visit().page.setViewportSize(ZOOMED)
    return found
  }
  const options = { viewport: ZOOMED, reducedMotion: 'reduce', initScript: AXE_SCRIPT } as const
  expect(await walk(options, look)).toEqual({})
})

it('nothing on any page shifts while it loads, nor when beacons arrive, and no sheet of another page changes it', {
  timeout: 400_000,
}, async () => {
  const sheets = allSheets()
  expect(sheets.length).toBeGreaterThan(5)
  const look: Look = async (route) => {
    if (route === '/' || route === '/chain') {
      const before = await visit().page.title()
      await furnished().app.finalize(2)
      if (route === '/') await expect.poll(() => visit().page.title()).not.toBe(before)
    }
    const found = [...(await visit().page.evaluate(shifted, { most: 0.05 }))]
    await press(route)
    // The documents are pages of their own, with a sheet of their own.
    if ((await visit().page.locator('#root').count()) > 0)
      found.push(...(await visit().page.evaluate(changedBy, sheets)))
    return found
  }
  expect(await walk({ initScript: SHIFTS_SCRIPT }, look, 'load')).toEqual({})
})
