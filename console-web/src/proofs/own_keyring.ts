// The keyring of the service that served this page, and the root of its time stamps, which count without any action of the
// person; and whether it is on its development chain.

import { readStrictJson } from '../../../shared/proof/strict_json.ts'
import { KeyringRejected, type NamedKeyring, readKeyring } from '../../../shared/proof/verify/keyring.ts'
import { readPem } from '../../../shared/time_stamps/read_pem.ts'
import { openApi } from '../data/api_client.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isTrial, READY_PATH, readOutside } from '../outside/readiness.ts'

export const KEYRING_PATH = '/.well-known/keyring.json'

/** Null when there is none, or it cannot be had. */
const ownText = async (path: string, signal: AbortSignal): Promise<string | null> => {
  try {
    return await openApi.text(path, signal)
  } catch (error) {
    if (error instanceof ApiFailure || signal.aborted) return null
    throw error
  }
}

/** On failure, a keyring without keys that is marked as not loaded. */
export const fetchOwnKeyring = async (signal: AbortSignal): Promise<NamedKeyring> => {
  const unloaded: NamedKeyring = { name: 'this service', own: true, keys: [], unloaded: true }
  const text = await ownText(KEYRING_PATH, signal)
  try {
    return text === null ? unloaded : { name: 'this service', own: true, keys: readKeyring(text) }
  } catch (error) {
    if (error instanceof KeyringRejected) return unloaded
    throw error
  }
}

/** DER: the root that its chain ends with. None where it stamps no time. */
export const fetchOwnRoots = async (signal: AbortSignal): Promise<readonly Uint8Array[]> => {
  const text = await ownText('/tsa/certificates', signal)
  const chain = text === null ? undefined : readPem(text, 'CERTIFICATE')
  return chain?.slice(-1) ?? []
}

/** Whether nothing of it is committed to a chain that counts outside. @throws ApiFailure or StrictJsonError */
export const fetchOwnTrial = async (signal: AbortSignal): Promise<boolean> => {
  const text = await ownText(READY_PATH, signal)
  return text !== null && isTrial(readOutside(readStrictJson(text)))
}
