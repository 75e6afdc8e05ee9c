// The keyring of the service this page came from: the one whose keys count without anybody saying so.
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'

export const KEYRING_PATH = '/.well-known/keyring.json'

const TIMEOUT_MS = 10_000
const LARGEST_BYTES = 1_048_576

/** Without keys, and saying so, when it cannot be had. */
export const fetchOwnKeyring = async (signal: AbortSignal): Promise<NamedKeyring> => {
  const unloaded: NamedKeyring = { name: 'this service', own: true, keys: [], unloaded: true }
  try {
    const response = await fetch(KEYRING_PATH, {
      credentials: 'omit',
      cache: 'no-cache',
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > LARGEST_BYTES) return unloaded
    return { name: 'this service', own: true, keys: readKeyring(await response.text()) }
  } catch (error) {
    if (error instanceof KeyringRejected || error instanceof TypeError || error instanceof DOMException)
      return unloaded
    throw error
  }
}
