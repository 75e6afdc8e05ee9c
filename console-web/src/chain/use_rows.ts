// The rows of the chain's table: the live list, or the blocks of a range of time.
import { useEffect, useMemo } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { readBlock } from '../blocks/block.ts'
import type { Api } from '../data/api_client.ts'
import { useConsole } from '../data/console_context.ts'
import { pathWith } from '../data/list_filter.ts'
import { LARGEST_PAGE, pageOf } from '../data/resource.ts'
import { useStore } from '../data/store.ts'
import { heldBack, type ListRules } from '../data/stream/list_rules.ts'
import { liveListOf } from '../data/stream/use_live_list.ts'
import { MAX_ROWS } from './beacon_list.ts'
import { BlockProver, type Proofs, proofOf } from './block_prover.ts'
import { useChain } from './chain_context.ts'
import { chainAddress, type TimeRange } from './time_range.ts'

export type ChainRows = ReturnType<typeof useRows>

/** Of a range of time. Each block is recomputed when it is read. */
const readRow = (members: unknown) => {
  const block = readBlock(members)
  return { id: block.id, proof: proofOf(block, block) }
}

/** Without a range there are none. */
const rowsOf = (range: TimeRange | null): ListRules<ReturnType<typeof readRow>> => ({
  paths: () =>
    range === null
      ? []
      : [
          pathWith('/api/json/blocks', {
            'filter[finalized_at][gte]': range.from,
            'filter[finalized_at][lte]': range.to,
            'page[limit]': String(LARGEST_PAGE),
          }),
        ],
  page: pageOf(readRow),
  most: MAX_ROWS,
  fits: () => true,
  streams: [],
  heard: () => ({}),
})

const useRange = liveListOf(rowsOf, (range) => chainAddress(null, { range, walk: null }))

const NONE: ReadonlySet<string> = new Set()

export const useRows = (range: TimeRange | null) => {
  const live = useLive()
  const { list, state } = useRange(range)
  const { first, older } = state
  const rows = useMemo(() => state.rows.map(({ proof }) => proof.block), [state.rows])
  const proofs = useMemo(() => new Map(state.rows.map(({ id, proof }) => [id, proof])), [state.rows])
  if (range === null) return live
  const isFailed = first.kind === 'failed'
  return {
    live: null,
    rows,
    proofs,
    older: isFailed ? ({ kind: 'failed', path: '', why: first.why } as const) : older,
    conflicts: NONE,
    unseen: 0,
    loadOlder: isFailed ? list.read : list.loadOlder,
  }
}

const useLive = () => {
  const { feed } = useChain()
  const live = useStore(feed.state)
  const { list, older } = live
  const proofs = useProofs(list.rows)
  /** Rows that the pause holds back. */
  const unseen = heldBack({ rows: list.rows, heldAt: live.heldAt })
  const rows = useMemo(() => (unseen === 0 ? list.rows : list.rows.slice(unseen)), [list.rows, unseen])
  return { live, rows, proofs, older, conflicts: list.conflicts, unseen, loadOlder: feed.loadOlder }
}

/** By the API of the visit, so that the next page goes on with what was proven. */
const provers = new WeakMap<Api, BlockProver>()

const useProofs = (rows: readonly Beacon[]): Proofs => {
  const { api } = useConsole()
  const prover = provers.get(api) ?? new BlockProver(api)
  provers.set(api, prover)
  useEffect(() => prover.want(rows), [prover, rows])
  useEffect(() => () => prover.stop(), [prover])
  return useStore(prover.proofs)
}
