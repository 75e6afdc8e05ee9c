// The live chain of the signed-in key, for pages: the feed of its beacons.
import { createContext, useContext } from 'react'
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
