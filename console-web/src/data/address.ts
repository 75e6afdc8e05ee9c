// The address bar as a store: read it, move to another path, close what was opened.
import { Store } from './store.ts'

export const address = new Store(window.location.pathname)

/** What stands behind the path: `?status=failed`, or nothing. */
export const search = new Store(window.location.search)

const readLocation = (): void => {
  search.write(window.location.search)
  address.write(window.location.pathname)
}

window.addEventListener('popstate', readLocation)

/** `replace` keeps the history short while one thing is swapped for its like; where we came from stays the same. */
export const goTo = (path: string, how: 'push' | 'replace' = 'push'): void => {
  const here = window.location.pathname
  if (path === here + window.location.search) return
  if (how === 'push') window.history.pushState({ from: here }, '', path)
  else window.history.replaceState(window.history.state, '', path)
  readLocation()
}

/** Closes what was opened over `path`: by history when we came from there, so that "back" does not open it again. */
export const closeTo = (path: string): void => {
  const state: unknown = window.history.state
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null
  if (from === path) window.history.back()
  else goTo(path, 'replace')
}
