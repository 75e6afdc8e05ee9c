// The rows of the chain's table: the live list, or the blocks of a range of time.
import { useCallback, useEffect, useMemo } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Epoch, epochsPath, readEpochs } from '../commitments/epoch.ts'
import type { Api } from '../data/api_client.ts'
import { useConsole } from '../data/console_context.ts'
import { newerThan } from '../data/newest_first.ts'
import { LARGEST_PAGE } from '../data/resource.ts'
import type { OlderPages } from '../data/stream/live_list.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { useDocument } from '../data/use_document.ts'
import { useStore } from '../data/use_store.ts'
import type { BeaconFeed } from './beacon_feed.ts'
import { BlockProver, type Proofs } from './block_prover.ts'
import { BlockRange, type TimeRange } from './block_range.ts'
import { useChain } from './chain_context.ts'

export type ChainRows = {
  readonly rows: readonly Beacon[]
  readonly proofs: Proofs
  readonly older: OlderPages
  readonly conflicts: ReadonlySet<string>
  /** Rows that the pause holds back. */
  readonly unseen: number
  readonly loadOlder: () => void
}

const NOWHEN: TimeRange = { from: '', to: '' }
const NONE: ReadonlySet<string> = new Set()

export const useRows = (range: TimeRange | null): ChainRows => {
  const live = useLive()
  const { from, to } = range ?? NOWHEN
  const { api } = useConsole()
  const ranged = useMemo(() => new BlockRange(api, { from, to }), [api, from, to])
  const held = useStore(ranged.state)
  const loadOlder = useCallback(() => void ranged.loadOlder(), [ranged])
  const isRanged = range !== null
  useEffect(() => {
    if (!isRanged) return
    ranged.start()
    return () => ranged.stop()
  }, [ranged, isRanged])
  return isRanged ? { ...held, conflicts: NONE, unseen: 0, loadOlder } : live
}

const useLive = (): ChainRows => {
  const { feed } = useChain()
  const { list, pausedAt, older } = useStore(feed.state)
  const proofs = useProofs()
  const unseen = pausedAt === null ? 0 : newerThan(list.rows, pausedAt)
  const rows = useMemo(() => (unseen === 0 ? list.rows : list.rows.slice(unseen)), [list.rows, unseen])
  const loadOlder = useCallback(() => void feed.loadOlder(), [feed])
  return { rows, proofs, older, conflicts: list.conflicts, unseen, loadOlder }
}

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

const NO_EPOCHS: readonly Epoch[] = []

/** Those that may carry the rows. Asked for again when commitments change. */
export const useEpochs = (range: TimeRange | null): readonly Epoch[] => {
  const pulse = useStreamPulse('commitments', null)
  const path = epochsPath(LARGEST_PAGE, range?.from ?? null)
  const loaded = useDocument(path, { read: readEpochs, pulse })
  return loaded.kind === 'found' ? loaded.value : NO_EPOCHS
}
