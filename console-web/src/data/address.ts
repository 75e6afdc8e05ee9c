// Connects the router to the address bar: a record of the previous address in each history entry.
import type { AroundNavHandler } from 'wouter'
import { textAt } from './shape.ts'

/**
 * `replace` changes the address without a new history entry. The recorded previous address then stays the
 * same.
 */
export const stepTo: AroundNavHandler = (navigate, to, options) => {
  const { pathname, search } = window.location
  if (to === pathname + search) return
  const state: unknown = options?.replace ? window.history.state : { from: pathname, entry: newEntry() }
  navigate(to, { ...options, state })
}

/** Whether "back" leads to `path`. */
export const cameFrom = (path: string): boolean => textAt(window.history.state, 'from') === path

/** Names the present history entry. The first one of a tab has no name. */
export const entryName = (): string => textAt(window.history.state, 'entry') ?? ''

const newEntry = (): string => Math.random().toString(36).slice(2)
