// Asks the server whether a key is valid, before the page signs in with it.
import { apiClient } from './api_client.ts'
import { ApiFailure, messageOf } from './api_failure.ts'
import { keyCredential } from './credential.ts'
import { isKeyText } from './key_text.ts'

/** Null when the key is valid, otherwise a sentence for the person. */
export const checkKey = async (key: string): Promise<string | null> => {
  if (!isKeyText(key)) return 'A key is one word of letters and digits, starting with phk_.'
  const credential = keyCredential(key)
  const api = apiClient({ credential, unauthorized: () => undefined, slowedUntil: () => undefined })
  try {
    await api.get('/api/json/beacons/latest')
    return null
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'unauthorized')
      return 'This key was not accepted. It may be mistyped, revoked or expired.'
    if (error instanceof ApiFailure && error.kind === 'rate_limited')
      return `Too many attempts. Try again in ${Math.ceil(error.retryAfterMs / 1_000)} s.`
    return messageOf(error)
  }
}
