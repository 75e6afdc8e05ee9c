// A live list of deliveries while a component is mounted.
import { useEffect, useMemo } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { DeliveryFeed, type DeliveryFeedState } from './delivery_feed.ts'
import type { DeliveryFilter } from './delivery_filter.ts'

/**
 * `filter` must stay the same object while it does not change, because another object starts another list.
 */
export const useDeliveryFeed = (filter: DeliveryFilter): { feed: DeliveryFeed; state: DeliveryFeedState } => {
  const { api, live } = useConsole()
  const feed = useMemo(() => new DeliveryFeed({ api, live }, filter), [api, live, filter])
  useEffect(() => feed.start(), [feed])
  return { feed, state: useStore(feed.state) }
}
