// The rows of the chain's table: the live list, or the blocks of a range of time.
import { useCallback, useEffect, useMemo } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { Proofs } from '../beacons/block_prover.ts'
import { useChain } from '../beacons/chain_context.ts'
import { useProofs } from '../beacons/use_proofs.ts'
import { useConsole } from '../data/console_context.ts'
import { newerThan } from '../data/newest_first.ts'
import { useStore } from '../data/use_store.ts'
import type { OlderPages } from '../ui/older_line.tsx'
import { BlockRange, type TimeRange } from './block_range.ts'

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
