// A key in a link, `/#key=phk_…`. The fragment never reaches a server or a log, and the page removes it from
// the address bar at once.

/** The key in the fragment, or null. Always removes the key from the address bar. */
export const takeLinkKey = (location: Location, history: History): string | null => {
  const key = new URLSearchParams(location.hash.slice(1)).get('key')
  if (key === null) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return key.trim() === '' ? null : key.trim()
}
