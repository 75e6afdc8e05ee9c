// Remembers on this device that somebody signed in with this browser. It is no secret and proves nothing: it
// only says that asking the service again is worth it.
import { drop, keep, kept, watchDropped } from './browser_storage.ts'

const NAME = 'pharos.signed_in'

export const hasHint = (): boolean => kept('device', NAME) !== null

export const keepHint = (): void => keep('device', NAME, '1')

export const dropHint = (): void => drop('device', NAME)

/** Calls `dropped` when another tab signs out, or learns that the sign-in has ended. */
export const watchDroppedHint = (dropped: () => void): void => watchDropped(NAME, dropped)
