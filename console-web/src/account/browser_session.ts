// A sign-in of a browser from GET /api/json/sessions.
import { memberOf } from '../../../shared/proof/json_value.ts'
import { type Resource, readPage, textOf, textOrNull } from '../data/resource.ts'

export type BrowserSession = {
  readonly id: string
  readonly userAgent: string
  readonly address: string
  /** The request was made in this session. */
  readonly current: boolean
  readonly lastUsedAt: string
  readonly insertedAt: string
  readonly expiresAt: string
}

export const SESSIONS_PATH = '/api/json/sessions'

export const sessionPath = (id: string): string => `${SESSIONS_PATH}/${encodeURIComponent(id)}`

const readSession = (resource: Resource): BrowserSession => ({
  id: resource.id,
  userAgent: textOrNull(resource, 'user_agent') ?? '',
  address: textOrNull(resource, 'address') ?? '',
  current: memberOf(resource.attributes, 'current') === true,
  lastUsedAt: textOf(resource, 'last_used_at'),
  insertedAt: textOf(resource, 'inserted_at'),
  expiresAt: textOf(resource, 'expires_at'),
})

export const readSessionPage = readPage(readSession)

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
