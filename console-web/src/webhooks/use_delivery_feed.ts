// A live list of deliveries for as long as a component shows it.
import { useEffect, useMemo } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { DeliveryFeed, type DeliveryFeedState } from './delivery_feed.ts'
import type { DeliveryFilter } from './delivery_filter.ts'

/** Another filter is another list, so `filter` has to be the same object while it is the same. */
export const useDeliveryFeed = (filter: DeliveryFilter): { feed: DeliveryFeed; state: DeliveryFeedState } => {
  const { api, live } = useConsole()
  const feed = useMemo(() => new DeliveryFeed({ api, live }, filter), [api, live, filter])
  useEffect(() => feed.start(), [feed])
  return { feed, state: useStore(feed.state) }
}
