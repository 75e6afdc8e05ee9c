// The present time, updated once a second while the page is visible, and when it becomes visible again. One timer
// for the whole page.
import { useSyncExternalStore } from 'react'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { Store, useStore } from '../data/store.ts'

let now = Date.now()
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const tick = (): void => {
  now = Date.now()
  // Set again for the start of each second, so that a late timer does not make the clock skip a second. Nobody looks at
  // a hidden page.
  timer = document.hidden ? undefined : setTimeout(tick, 1_000 - (now % 1_000) + 5)
  for (const listener of [...listeners]) listener()
}

const restart = (): void => {
  clearTimeout(timer)
  tick()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', restart)
    restart()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    document.removeEventListener('visibilitychange', restart)
    clearTimeout(timer)
  }
}

const same = (ms: number): number => ms

/**
 * Local milliseconds. Add `clockOffset` for the server's time.
 *
 * @param read What of it is shown, such as words. The component renders again only when that is different.
 */
export function useNow(): number
export function useNow<T extends string | number | boolean | null>(read: (now: number) => T): T
export function useNow(read: (now: number) => string | number | boolean | null = same) {
  return useSyncExternalStore(subscribe, () => read(now))
}

/** Milliseconds by the clock of the service. By the local clock where nobody is signed in. */
export const useServiceTime = (): number =>
  useNow() + useStore(useConsoleIfSignedIn()?.clockOffset ?? NO_OFFSET)

const NO_OFFSET = new Store(0)
