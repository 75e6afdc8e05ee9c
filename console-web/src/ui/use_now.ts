// The present time, updated once a second while the page is visible, and when it becomes visible again. One timer
// for the whole page.
import { useSyncExternalStore } from 'react'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { Store, useStore } from '../data/store.ts'

const present = new Store(Date.now())
let timer: ReturnType<typeof setTimeout> | undefined

/** Set again for the start of each second, so that a late timer does not make the clock skip one. */
const tick = (): void => {
  clearTimeout(timer)
  const now = Date.now()
  // Nobody looks at a hidden page.
  timer = document.hidden ? undefined : setTimeout(tick, 1_000 - (now % 1_000) + 5)
  present.write(now)
}

/** The clock runs from the first that looks at it on. */
const subscribe = (listener: () => void): (() => void) => {
  const unsubscribe = present.subscribe(listener)
  if (timer === undefined) {
    document.addEventListener('visibilitychange', tick)
    tick()
  }
  return unsubscribe
}

/** What is shown of a time, such as words. */
type Shown = string | number | boolean | null

/**
 * Local milliseconds.
 *
 * @param read What of it is shown. The component renders again only when that is different.
 */
export const useNow = <T extends Shown>(read: (now: number) => T): T =>
  useSyncExternalStore(subscribe, () => read(present.read()))

/** The same by the clock of the service. By the local clock where nobody is signed in. */
export const useServiceTime = <T extends Shown>(read: (now: number) => T): T => {
  const offset = useStore(useConsoleIfSignedIn()?.clockOffset ?? NO_OFFSET)
  return useNow((now) => read(now + offset))
}

const NO_OFFSET = new Store(0)
