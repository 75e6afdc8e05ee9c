// Somebody has signed in with this browser: remembered on this device until it has ended. It is no secret and proves
// nothing: it only says that asking the service again is worth it.
import { drop, keep, kept, watchDropped } from '../data/kept/browser_storage.ts'
import type { Store } from '../data/store.ts'

const NAME = 'pharos.signed_in'
const TIMEOUT_MS = 8_000

export const hasHint = (): boolean => kept('device', NAME) !== null

export const keepHint = (): void => keep('device', NAME, '1')

export const dropHint = (): void => drop('device', NAME)

/** Calls `dropped` when another tab signs out, or learns that the sign-in has ended. */
export const watchDroppedHint = (dropped: () => void): void => watchDropped(NAME, dropped)

/** Tells the service that this browser signs out, which ends its session and every token of it. False when it was not told. */
export const endSignIn = async (): Promise<boolean> => {
  try {
    const { ok } = await fetch('/oauth/sign-out', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: '',
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ok
  } catch {
    return false
  }
}

export type Leaving = { readonly until: number; readonly comeBack: () => void }

const UNDO_MS = 8_000

type Ends = {
  readonly comeBack: () => void
  /** Called when the time is over, or when the page is closed or loaded again. */
  readonly finish: () => void
}

/** One of the ends is called, once. The returned function finishes at once, and does nothing later. */
export const startLeaving = (leaving: Store<Leaving | null>, { comeBack, finish }: Ends): (() => void) => {
  let isOver = false
  const once = (end: () => void) => (): void => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    window.removeEventListener('pagehide', finishOnce)
    leaving.write(null)
    end()
  }
  const finishOnce = once(finish)
  const timer = setTimeout(finishOnce, UNDO_MS)
  window.addEventListener('pagehide', finishOnce)
  leaving.write({ until: Date.now() + UNDO_MS, comeBack: once(comeBack) })
  return finishOnce
}
