// Detects that the page was inactive or the network was lost: sleep, a throttled background tab, a network
// that went and returned.
type WakeReason = 'visible' | 'online' | 'offline' | 'resumed' | 'restored'

const LOOK_EVERY_MS = 2_000
/** A timer later than this means that the machine slept or the browser suspended the tab. */
const GAP_MS = 10_000

export const watchWake = (woken: (reason: WakeReason) => void): (() => void) => {
  let lastLook = Date.now()
  const look = (): void => {
    const now = Date.now()
    const late = now - lastLook - LOOK_EVERY_MS
    lastLook = now
    if (late > GAP_MS) woken('resumed')
  }
  const visible = (): void => {
    if (document.visibilityState === 'visible') woken('visible')
  }
  const restored = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) woken('restored')
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const ends = new AbortController()
  const { signal } = ends
  document.addEventListener('visibilitychange', visible, { signal })
  window.addEventListener('online', () => woken('online'), { signal })
  window.addEventListener('offline', () => woken('offline'), { signal })
  window.addEventListener('pageshow', restored, { signal })
  return () => {
    clearInterval(timer)
    ends.abort()
  }
}
