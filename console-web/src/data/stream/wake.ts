// Detects that the page was inactive or the network was lost: sleep, a throttled background tab, a network
// that went and returned.

const LOOK_EVERY_MS = 2_000
/** A timer later than this means that the machine slept or the browser suspended the tab. */
const GAP_MS = 10_000

/** The returned function ends it. */
export const watchWake = (wake: (isOtherNetwork: boolean) => void, offline: () => void): (() => void) => {
  let lastLook = Date.now()
  const look = (): void => {
    const now = Date.now()
    const late = now - lastLook - LOOK_EVERY_MS
    lastLook = now
    if (late > GAP_MS) wake(false)
  }
  const visible = (): void => {
    if (document.visibilityState === 'visible') wake(false)
  }
  const restored = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) wake(true)
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const ends = new AbortController()
  const { signal } = ends
  document.addEventListener('visibilitychange', visible, { signal })
  window.addEventListener('online', () => wake(true), { signal })
  window.addEventListener('offline', offline, { signal })
  window.addEventListener('pageshow', restored, { signal })
  return () => {
    clearInterval(timer)
    ends.abort()
  }
}
