// A key handed over by link, `/#key=phk_…`: the fragment never reaches a server or a log, and leaves the address bar at once.

/** The key in the fragment, or null. Whatever the fragment was, a key in it is gone from the address bar afterwards. */
export const takeLinkKey = (location: Location, history: History): string | null => {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return key.trim() === '' ? null : key.trim()
}
