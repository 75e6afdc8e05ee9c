// The first page: where a file is dropped, the newest beacon, the chain as a picture, and everything that happens.
import './pages.css'
import { type ComponentProps, memo, useMemo, useRef } from 'react'
import { useChain, useHead } from '../chain/chain_context.ts'
import { useStore } from '../data/store.ts'
import { type ChainStanding, useInterval, useOutside } from '../outside/readiness.ts'
import { ChainPicture } from '../picture/chain_picture.tsx'
import { HeadPanel } from '../picture/head_panel.tsx'
import type { Series } from '../picture/lanes.ts'
import type { Tile } from '../picture/tile.ts'
import { useHasItems } from '../picture/use_own_items.ts'
import { useTiles } from '../picture/use_tiles.ts'
import { StampPart } from '../stamp/stamp_place.tsx'
import { Later } from '../ui/load/later.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

const LogLine = lazyPart(async () => (await import('../log/log_line.tsx')).LogLine)

const Monitor = lazyPart(async () => (await import('../monitor/monitor.tsx')).Monitor)

const OutsideWorld = lazyPart(async () => (await import('../outside/outside_world.tsx')).OutsideWorld)

const SubmitHint = lazyPart(async () => (await import('../items/submit_hint.tsx')).SubmitHint)

/** Its parts follow what they show, so that a new block draws nothing else anew. */
export const NowPage = () => {
  const { state } = useTiles()
  const hasItems = useHadItems(state.first.kind !== 'loading')
  return (
    // Until it is known where the parts stand, nothing is painted: everything would move.
    <main className="now" data-first={hasItems === false} aria-busy={hasItems === null}>
      <NowHead tiles={state.rows} hasItems={hasItems !== false} />
      <NowPicture blocks={state} />
      <div className="now-monitor">
        <NowMonitor isPlaced={hasItems !== null} />
      </div>
      {FOOT}
    </main>
  )
}

/** The same for every block. */
const FOOT = (
  <div className="now-foot">
    <div className="now-outside">
      <Later>
        <OutsideWorld isShort />
      </Later>
    </div>
    <div>
      <Later>
        <LogLine />
      </Later>
    </div>
    <Later>
      <SubmitHint />
    </Later>
  </div>
)

const NowHead = ({ tiles, hasItems }: { tiles: readonly Tile[]; hasItems: boolean }) => {
  const head = useHead()
  return (
    <div className={hasItems ? 'now-head' : 'now-head side-by-side'} data-wide="left">
      <title>{head === null ? 'Pharos' : `${head.hash.slice(0, 8)} · Pharos`}</title>
      <HeadPanel tiles={tiles} interval={useInterval().interval} />
      <StampPart size={hasItems ? 'small' : 'large'} />
    </div>
  )
}

/** Loaded when the newest beacon stands where it stays, so that it is not waited for. */
const NowMonitor = memo(({ isPlaced }: { isPlaced: boolean }) => {
  const { list } = useStore(useChain().feed.state)
  return (
    <Later isNext={isPlaced && list.rows.length > 0}>
      <Monitor />
    </Later>
  )
})
NowMonitor.displayName = 'NowMonitor'

/**
 * Whether the team had an item when the page was shown. Null until it is known where the parts of the page stand: that
 * follows from it, and from the blocks, which say how high the picture is.
 */
const useHadItems = (areBlocksRead: boolean): boolean | null => {
  const hasItems = useHasItems()
  const first = useRef<boolean | null>(null)
  if (areBlocksRead) first.current ??= hasItems
  return first.current
}

const NowPicture = ({ blocks }: Pick<ComponentProps<typeof ChainPicture>, 'blocks'>) => {
  const { interval, isAwaited } = useInterval()
  const chains = useOutside()?.chains ?? null
  const series = useMemo(() => (chains === null ? null : seriesOf(chains)), [chains])
  return <ChainPicture blocks={blocks} interval={isAwaited ? null : interval} series={series} />
}

/** A chain that has not answered yet has no network. Null while that is so for all, because nothing can be said then. */
const seriesOf = (chains: readonly ChainStanding[]): readonly Series[] | null => {
  const answered = chains.flatMap(({ chain, network }) => (network === null ? [] : [{ chain, network }]))
  return answered.length === 0 && chains.length > 0 ? null : answered
}
