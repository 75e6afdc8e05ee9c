// The leaves of one block, read in pages of 250: the first one at once, all others when asked.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { toHex } from '../../../shared/proof/bytes.ts'
import { merkleRoot } from '../../../shared/proof/merkle.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import type { Block } from './block.ts'
import { inOrder, type Leaf, readLeaves, useReadableLeaves, valuesOf } from './leaf.ts'

export type Leaves = ReturnType<typeof useLeaves>

/** Leaves on the page. */
export const MOST_LEAVES = 10_000

export const useLeaves = (block: Block) => {
  const { api } = useConsole()
  const { data, error, failureReason, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['leaves', block.id],
    // Items and observations side by side, each as long as there are more.
    initialPageParam: [
      ...(block.itemCount === 0 ? [] : [itemLeavesPath(block.id)]),
      ...(block.observationCount === 0 ? [] : [observationLeavesPath(block.id)]),
    ],
    queryFn: ({ pageParam, signal }) =>
      Promise.all(pageParam.map(async (path) => readLeaves(await api.get(path, signal)))),
    getNextPageParam: (pages) => {
      const paths = pages.flatMap(({ next }) => next ?? [])
      return paths.length === 0 ? undefined : paths
    },
    // The leaves of a block never change. What is hidden of them may, and a reload shows it.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const read = useMemo(() => data?.pages.flat().flatMap((page) => page.rows) ?? NONE, [data])
  const left = (block.itemCount ?? 0) - read.filter(({ type }) => type === 'item').length
  const isRead = data !== undefined && !hasNextPage
  const readable = useReadableLeaves(isRead ? block.id : null, left)
  const ofOthers = readable?.kind === 'found' ? readable.value : NONE
  const rows = useMemo(() => inOrder([...read, ...ofOthers]), [read, ofOthers])
  const whole = rows.length === (block.itemCount ?? -1) + block.observationCount
  const root = useMemo(() => (whole ? toHex(merkleRoot(valuesOf(rows))) : null), [whole, rows])
  const isMore = hasNextPage && rows.length < MOST_LEAVES
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (isWanted && isMore && !isFetching && error === null) void fetchNextPage()
  }, [isWanted, isMore, isFetching, error, fetchNextPage])
  const more = (): void => {
    setWanted(true)
    // Also after a failure.
    void fetchNextPage()
  }
  const failed = error ?? failureReason
  return {
    rows,
    /** All leaves of the block were read, so their places are known. */
    whole,
    /** Root over the leaves. Null while some are missing. */
    root,
    reading: isFetching || readable?.kind === 'loading',
    failure: failed === null ? null : messageOf(failed),
    /** Reads all pages that are left. Null when there is none, or the page holds no more. */
    more: isMore ? more : null,
  }
}

const NONE: readonly Leaf[] = []

const itemLeavesPath = (blockId: string): string =>
  `/api/json/items?filter[block_id]=${encodeURIComponent(blockId)}&sort=id&page[limit]=250&fields[item]=item_hash,display_name`

const observationLeavesPath = (blockId: string): string =>
  `/api/json/entropy_observations?filter[block_id]=${encodeURIComponent(blockId)}&page[limit]=250&fields[entropy_observation]=observation_hash,source`
