// A sign-in of a browser from GET /api/json/sessions.
import { collection } from '../data/resource.ts'
import { isTrue, or, shape, text, textOrNull } from '../data/shape.ts'

const readSession = shape({
  id: text,
  userAgent: or(textOrNull, ''),
  address: or(textOrNull, ''),
  /** The request was made in this session. */
  current: isTrue,
  lastUsedAt: text,
  insertedAt: text,
  expiresAt: text,
})

export type BrowserSession = ReturnType<typeof readSession>

export const sessions = collection('/api/json/sessions', readSession)

/** In this order, because most browsers also name those that they descend from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(e|ium)\/|\bHeadlessChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Such as "Firefox on Linux". The browser says it itself, so it only helps to recognise one. */
export const browserName = (userAgent: string): string => {
  const named = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  if (browser === undefined) return userAgent === '' ? 'Unknown browser' : userAgent.slice(0, 80)
  return system === undefined ? browser : `${browser} on ${system}`
}
