// The keyring of the service that served this page. Its keys count without any action of the person.
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { boundedText } from '../data/bounded_text.ts'

export const KEYRING_PATH = '/.well-known/keyring.json'

const TIMEOUT_MS = 10_000
const LARGEST_BYTES = 1_048_576

/** On failure, a keyring without keys that is marked as not loaded. */
export const fetchOwnKeyring = async (signal: AbortSignal): Promise<NamedKeyring> => {
  const unloaded: NamedKeyring = { name: 'this service', own: true, keys: [], unloaded: true }
  try {
    const response = await fetch(KEYRING_PATH, {
      credentials: 'omit',
      cache: 'no-cache',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const text = response.ok ? await boundedText(response, LARGEST_BYTES) : null
    return text === null ? unloaded : { name: 'this service', own: true, keys: readKeyring(text) }
  } catch (error) {
    if (error instanceof KeyringRejected || error instanceof TypeError || error instanceof DOMException)
      return unloaded
    throw error
  }
}
