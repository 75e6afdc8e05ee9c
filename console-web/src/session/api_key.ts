// The API key of this browser: what can be one, where it is kept, whether the service accepts it, and how a link brings one.
import { apiClient } from '../data/api_client.ts'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { keyCredential } from '../data/credential.ts'
import { drop, keep, kept, watchDropped } from '../data/kept/browser_storage.ts'

/** A header value must be plain ASCII. Any other text would fail like a network error and mislead people. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

/** Enough characters to tell keys apart, too few to use one. */
export const maskedKey = (key: string): string => (key.length > 16 ? `${key.slice(0, 8)}…` : '…')

/** For this tab, or on this device when the person chose to stay signed in. */
type KeptKey = { readonly key: string; readonly remembered: boolean }

const NAME = 'pharos.key'

export const readKey = (): KeptKey | null => {
  const inTab = kept('tab', NAME)
  if (inTab) return { key: inTab, remembered: false }
  const onDevice = kept('device', NAME)
  return onDevice ? { key: onDevice, remembered: true } : null
}

export const keepKey = ({ key, remembered }: KeptKey): void => {
  dropKey()
  keep(remembered ? 'device' : 'tab', NAME, key)
}

export const dropKey = (): void => {
  drop('tab', NAME)
  drop('device', NAME)
}

/** Calls `dropped` when another tab signs out of this device. */
export const watchDroppedKey = (dropped: () => void): void => watchDropped(NAME, dropped)

/** Asks the service. Null when it accepts the key, otherwise a sentence for the person. */
export const checkKey = async (key: string): Promise<string | null> => {
  if (!isKeyText(key)) return 'A key is one word of letters and digits, starting with phk_.'
  try {
    await apiClient({ credential: keyCredential(key) }).get('/api/json/beacons/latest')
    return null
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'unauthorized')
      return 'This key was not accepted. It may be mistyped, revoked or expired.'
    if (error instanceof ApiFailure && error.kind === 'rate_limited')
      return `Too many attempts. Try again in ${Math.ceil(error.retryAfterMs / 1_000)} s.`
    return messageOf(error)
  }
}

/**
 * The key in the fragment of a link, `/#key=phk_…`, or null. The fragment never reaches a server or a log, and the page
 * removes it from the address bar at once.
 */
export const takeLinkKey = (location: Location, history: History): string | null => {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return key.trim() === '' ? null : key.trim()
}
