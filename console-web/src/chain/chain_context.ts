// The live chain of the signed-in key, for pages: the feed of its beacons.
import { createContext, useContext } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { useStore } from '../data/store.ts'
import type { BeaconFeed } from './beacon_feed.ts'

export type Chain = {
  readonly feed: BeaconFeed
  /** Makes the next attempt to connect now. */
  readonly retryNow: () => void
}

export const ChainContext = createContext<Chain | null>(null)

export const useChain = (): Chain => {
  const chain = useContext(ChainContext)
  if (chain === null) throw new Error('useChain outside a signed-in page')
  return chain
}

/** The newest beacon. Null while none is known. */
export const useHead = (): Beacon | null => useStore(useChain().feed.state).list.rows[0] ?? null
