// The leaves of one block, read in pages of 250: the first one at once, all others when asked.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { toHex } from '../../../shared/proof/bytes.ts'
import { merkleRoot } from '../../../shared/proof/merkle.ts'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { LARGEST_PAGE } from '../data/resource.ts'
import { useDocument } from '../data/use_document.ts'
import type { Block } from './block.ts'
import {
  inOrder,
  itemLeavesPath,
  type Leaf,
  MOST_READABLE,
  observationLeavesPath,
  readableLeavesPath,
  readIncludedLeaves,
  readLeaves,
  valuesOf,
} from './leaf.ts'

export type Leaves = ReturnType<typeof useLeaves>

/** Leaves on the page. */
export const MOST_LEAVES = 10_000

export const useLeaves = (block: Block) => {
  const { observationCount } = block
  const items = usePages(block.itemCount === 0 ? null : itemLeavesPath(block.id))
  const observations = usePages(observationCount === 0 ? null : observationLeavesPath(block.id))
  const left = (block.itemCount ?? 0) - items.rows.length
  const isAsked = items.ended && left > 0 && left <= MOST_READABLE
  const readable = useDocument(isAsked ? readableLeavesPath(block.id) : null, { read: readIncludedLeaves })
  const ofOthers = readable.kind === 'found' ? readable.value : NONE
  const rows = useMemo(
    () => inOrder([...items.rows, ...ofOthers, ...observations.rows]),
    [items.rows, ofOthers, observations.rows],
  )
  const whole = rows.length === (block.itemCount ?? -1) + observationCount
  const root = useMemo(() => (whole ? toHex(merkleRoot(valuesOf(rows))) : null), [whole, rows])
  return {
    rows,
    /** All leaves of the block were read, so their places are known. */
    whole,
    /** Root over the leaves. Null while some are missing. */
    root,
    reading: items.reading || observations.reading || (isAsked && readable.kind === 'loading'),
    failure: items.failure ?? observations.failure,
    /** Reads all pages that are left. Null when there is none, or the page holds no more. */
    more: rows.length >= MOST_LEAVES ? null : (items.more ?? observations.more),
  }
}

const NONE: readonly Leaf[] = []

const usePages = (first: string | null) => {
  const { api } = useConsole()
  const { data, error, failureReason, isFetching, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['leaves', first],
    enabled: first !== null,
    initialPageParam: first ?? '',
    queryFn: async ({ pageParam, signal }) => readLeaves(await api.get(pageParam, signal)),
    getNextPageParam: (page) => page.next,
    // The leaves of a block never change. What is hidden of them may, and a reload shows it.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? NONE, [data])
  const [isWanted, setWanted] = useState(false)
  const more = (): void => {
    setWanted(true)
    // Also after a failure.
    void fetchNextPage()
  }
  const isFull = (data?.pages.length ?? 0) * LARGEST_PAGE >= MOST_LEAVES
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && !isFull && error === null) void fetchNextPage()
  }, [isWanted, hasNextPage, isFetching, isFull, error, fetchNextPage])
  const failed = error ?? failureReason
  return {
    rows,
    reading: isFetching,
    failure: failed === null ? null : messageOf(failed),
    more: hasNextPage ? more : null,
    /** All pages were read, or there are none to read. */
    ended: first === null || (data !== undefined && !hasNextPage),
  }
}
