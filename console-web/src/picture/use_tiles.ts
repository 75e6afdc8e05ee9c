// The newest blocks as a live list of tiles. What it has read stays while other pages are shown.
import { useEffect, useSyncExternalStore } from 'react'
import type { BeaconFeed } from '../chain/beacon_feed.ts'
import { useChain } from '../chain/chain_context.ts'
import { pageOf } from '../data/resource.ts'
import { numberAt, objectAt } from '../data/shape.ts'
import type { ListRules } from '../data/stream/list_rules.ts'
import type { LiveList } from '../data/stream/live_list.ts'
import { liveListOf } from '../data/stream/use_live_list.ts'
import { MOST_TILES, readTile, TILES_PATH, type Tile } from './tile.ts'

const readPage = pageOf(readTile)

export const TILES: ListRules<Tile> = {
  paths: () => [TILES_PATH],
  // One page is all that the picture shows, so nothing below it is asked for.
  page: (answer) => ({ ...readPage(answer), next: null }),
  most: MOST_TILES,
  fits: () => true,
  // A block never ceases to be committed.
  isLater: (a, b) => a.committed || !b.committed,
  streams: ['blocks'],
  isReadOnce: true,
  heard: (event, body, rows) => {
    if (event === 'blocks.burst') {
      const isGrown = (numberAt(objectAt(body, 'by_kind'), 'block.finalized') ?? 0) > 0
      return { read: isGrown ? 'newer' : 'all' }
    }
    const tile = readTile(objectAt(body, 'data'))
    const isNext = tile.height <= (rows[0]?.height ?? tile.height) + 1
    return isNext ? { row: tile } : { read: 'newer' }
  },
}

/** A chain that was replaced is another list. */
const useList = liveListOf(
  () => TILES,
  (lost: string) => lost,
)

export const useTiles = () => {
  const { feed } = useChain()
  const tiles = useList(
    useSyncExternalStore(feed.state.subscribe, () => feed.state.read().replaced?.lost ?? ''),
  )
  useEffect(() => lookForBlocks(feed, tiles.list), [feed, tiles.list])
  return tiles
}

/** The event of a block comes after its beacon, later by as long as any older transaction of the database server runs. */
const LOOK_AFTER_MS = 5_000

/** Reads the blocks when a beacon has come and its block has not. The returned function ends it. */
export const lookForBlocks = (feed: BeaconFeed, list: LiveList<Tile>): (() => void) =>
  feed.follow((beacons, origin) => {
    if (origin === 'read') return
    const head = beacons.at(-1)?.id ?? ''
    setTimeout(() => {
      const { first, rows } = list.state.read()
      if (first.kind === 'read' && (rows[0]?.id ?? '') < head) void list.read()
    }, LOOK_AFTER_MS)
  })
