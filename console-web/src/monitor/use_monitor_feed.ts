// The monitor of this sign-in, and its state for a component.
import { useSyncExternalStore } from 'react'
import { useChain } from '../chain/chain_context.ts'
import { type ConsoleParts, useConsole } from '../data/console_context.ts'
import type { Store } from '../data/store.ts'
import { MonitorFeed } from './monitor_feed.ts'
import { readOff } from './monitor_rows.ts'

/** One for each sign-in. It follows until the connection of that sign-in ends, also while another page is open. */
const feeds = new WeakMap<ConsoleParts, MonitorFeed>()

export const useMonitorFeed = (): MonitorFeed => {
  const parts = useConsole()
  const { feed: beacons } = useChain()
  const found = feeds.get(parts)
  if (found !== undefined) return found
  const { api, live, clockOffset } = parts
  const feed = new MonitorFeed({ api, live, beacons, now: () => Date.now() + clockOffset.read() }, readOff())
  feeds.set(parts, feed)
  feed.start()
  return feed
}

/** Like any store, but a hidden tab is not drawn. It is drawn once when it is seen again. */
export const useSeen = <T>(store: Store<T>): T =>
  useSyncExternalStore((changed) => subscribeSeen(store, changed), store.read)

const subscribeSeen = <T>(store: Store<T>, changed: () => void): (() => void) => {
  const whenSeen = (): void => {
    if (document.visibilityState === 'visible') changed()
  }
  const unsubscribe = store.subscribe(whenSeen)
  document.addEventListener('visibilitychange', whenSeen)
  return () => {
    unsubscribe()
    document.removeEventListener('visibilitychange', whenSeen)
  }
}
