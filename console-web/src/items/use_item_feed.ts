// A live list of items while a component is mounted. The last few lists are kept, so that going back finds the
// same rows at the same place.
import { useEffect, useState } from 'react'
import type { Api } from '../data/api_client.ts'
import { type ConsoleParts, useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { ItemFeed, type ItemFeedState } from './item_feed.ts'
import { addressOf, type ItemFilter } from './item_filter.ts'

const KEPT_FEEDS = 3

/** By the API of the visit, so that nothing is kept for the next. */
const kept = new WeakMap<Api, readonly ItemFeed[]>()

const feedFor = ({ api, live }: ConsoleParts, filter: ItemFilter): ItemFeed => {
  const feeds = kept.get(api) ?? []
  const address = addressOf(filter)
  const feed = feeds.find((one) => addressOf(one.filter) === address) ?? new ItemFeed({ api, live }, filter)
  kept.set(api, [feed, ...feeds.filter((one) => one !== feed)].slice(0, KEPT_FEEDS))
  return feed
}

/** Another filter needs another component: give it the address as React key. */
export const useItemFeed = (filter: ItemFilter): { feed: ItemFeed; state: ItemFeedState } => {
  const parts = useConsole()
  const [feed] = useState(() => feedFor(parts, filter))
  useEffect(() => feed.start(), [feed])
  return { feed, state: useStore(feed.state) }
}
