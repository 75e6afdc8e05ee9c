// What has been proven about the beacons of the list. They are recomputed only while a page shows it, and the code for it
// is loaded with that page.
import { useEffect } from 'react'
import type { Api } from '../data/api_client.ts'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import type { BeaconFeed } from './beacon_feed.ts'
import { BlockProver, type Proofs } from './block_prover.ts'
import { useChain } from './chain_context.ts'

/** One prover for each visit, so that the next page goes on with what was proven. */
const provers = new WeakMap<BeaconFeed, BlockProver>()

const proverOf = (feed: BeaconFeed, api: Api): BlockProver => {
  const prover = provers.get(feed) ?? new BlockProver(api)
  provers.set(feed, prover)
  return prover
}

export const useProofs = (): Proofs => {
  const { api } = useConsole()
  const { feed } = useChain()
  const prover = proverOf(feed, api)
  useEffect(() => {
    let rows = feed.state.read().list.rows
    prover.start()
    prover.want(rows)
    const unfollow = feed.state.subscribe(() => {
      const now = feed.state.read().list.rows
      if (now !== rows) prover.want(now)
      rows = now
    })
    return () => {
      unfollow()
      prover.stop()
    }
  }, [prover, feed])
  return useStore(prover.proofs)
}
