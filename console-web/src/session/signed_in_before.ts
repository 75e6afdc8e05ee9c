// Somebody has signed in with this browser: remembered on this device until it has ended. It is no secret and proves
// nothing: it only says that asking the service again is worth it.
import { drop, keep, kept, watchDropped } from '../data/kept/browser_storage.ts'

const NAME = 'pharos.signed_in'
const TIMEOUT_MS = 8_000

export const hasHint = (): boolean => kept('device', NAME) !== null

export const keepHint = (): void => keep('device', NAME, '1')

export const dropHint = (): void => drop('device', NAME)

/** Calls `dropped` when another tab signs out, or learns that the sign-in has ended. */
export const watchDroppedHint = (dropped: () => void): void => watchDropped(NAME, dropped)

/** Tells the service that this browser signs out, which ends its session and every token of it. False when it was not told. */
export const endSignIn = async (): Promise<boolean> => {
  const answer = await fetch('/oauth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '',
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
    keepalive: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null)
  return answer?.ok === true
}
