// The first page: where a file is dropped, the newest beacon, the chain as a picture, and everything that happens.
import './pages.css'
import { useMemo, useSyncExternalStore } from 'react'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { useChain } from '../chain/chain_context.ts'
import { learnInterval } from '../connection/countdown.ts'
import { useConsole } from '../data/console_context.ts'
import { readPage } from '../data/resource.ts'
import { useStore } from '../data/store.ts'
import { useDocument } from '../data/use_document.ts'
import { type ChainStanding, READY_PATH, readOutside } from '../outside/readiness.ts'
import { ChainPicture } from '../picture/chain_picture.tsx'
import { HeadPanel } from '../picture/head_panel.tsx'
import type { Series } from '../picture/lanes.ts'
import { type PictureFeed, usePicture } from '../picture/picture_feed.ts'
import type { Tile } from '../picture/tile.ts'
import { StampPart } from '../stamp/stamp_part.tsx'
import { Later } from '../ui/load/later.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

const LogLine = lazyPart(async () => (await import('../log/log_line.tsx')).LogLine)

const Monitor = lazyPart(async () => (await import('../monitor/monitor.tsx')).Monitor)

const OutsideLine = lazyPart(async () => (await import('../outside/outside_line.tsx')).OutsideLine)

const SubmitHint = lazyPart(async () => (await import('../items/submit_hint.tsx')).SubmitHint)

/** Renders once. Its parts follow what they show, so that a new beacon draws nothing else anew. */
export const NowPage = () => {
  const picture = usePicture()
  const hasItems = useHasItems()
  const isPictured = useIsPictured(picture)
  const isPlaced = hasItems !== null && isPictured
  return (
    // Until it is known where the parts stand, nothing is painted: everything would move.
    <main className="now" data-first={hasItems === false} aria-busy={!isPlaced}>
      <NowHead picture={picture} hasItems={hasItems !== false} />
      <NowPicture picture={picture} />
      <div className="now-monitor">
        <NowMonitor isPlaced={isPlaced} />
      </div>
      <div className="now-foot">
        <div className="now-outside">
          <Later>
            <OutsideLine />
          </Later>
        </div>
        <div className="now-log">
          <Later>
            <LogLine />
          </Later>
        </div>
        <Later>
          <SubmitHint />
        </Later>
      </div>
    </main>
  )
}

const NowHead = ({ picture, hasItems }: { picture: PictureFeed; hasItems: boolean }) => {
  const { list, connection, intervalMs } = useStore(useChain().feed.state)
  const { tiles } = useStore(picture.state)
  const offset = useStore(useConsole().clockOffset)
  const { rows } = list
  const head = rows[0] ?? null
  return (
    <div className="now-head">
      <title>{head === null ? 'Pharos' : `${head.hash.slice(0, 8)} · Pharos`}</title>
      <HeadPanel
        head={head}
        height={heightOf(rows, tiles)}
        interval={useMemo(() => learnInterval(intervalMs, rows), [intervalMs, rows])}
        clockOffset={offset}
        isConnected={connection.phase === 'live'}
      />
      <StampPart size={hasItems ? 'small' : 'large'} />
    </div>
  )
}

/** Loaded when the newest beacon stands where it stays, so that it is not waited for. */
const NowMonitor = ({ isPlaced }: { isPlaced: boolean }) => {
  const { list } = useStore(useChain().feed.state)
  return (
    <Later isNext={isPlaced && list.rows.length > 0}>
      <Monitor />
    </Later>
  )
}

const ONE_ITEM = '/api/json/items?page[limit]=1&fields[item]=state'

/** Null until it is known. When it cannot be read, the page is the usual one. */
const useHasItems = (): boolean | null => {
  const loaded = useDocument(ONE_ITEM, { read: readAny })
  if (loaded.kind === 'loading') return null
  return loaded.kind !== 'found' || loaded.value
}

const readAny = (document: JsonValue): boolean => readPage(({ id }) => id)(document).rows.length > 0

/** How high the picture is follows from its blocks. True as well when they cannot be read. */
const useIsPictured = ({ state }: PictureFeed): boolean =>
  useSyncExternalStore(state.subscribe, () => {
    const { isRead, problem } = state.read()
    return isRead || problem !== null
  })

const NowPicture = ({ picture }: { picture: PictureFeed }) => {
  const { list, intervalMs } = useStore(useChain().feed.state)
  const outside = useDocument(READY_PATH, { read: readOutside })
  const learned = learnInterval(intervalMs, list.rows)
  const { ms, source } = learned
  // The same object while it says the same, because everything is measured by it.
  const interval = useMemo(() => ({ ms, source }), [ms, source])
  const chains = outside.kind === 'found' ? outside.value.chains : null
  const series = useMemo(() => (chains === null ? null : seriesOf(chains)), [chains])
  const isUnknown = intervalMs === null && outside.kind === 'loading'
  return <ChainPicture picture={picture} interval={isUnknown ? null : interval} series={series} />
}

/** A chain that has not answered yet has no network. Null while that is so for all, because nothing can be said then. */
const seriesOf = (chains: readonly ChainStanding[]): readonly Series[] | null => {
  const answered = chains.flatMap(({ chain, network }) => (network === null ? [] : [{ chain, network }]))
  return answered.length === 0 && chains.length > 0 ? null : answered
}

/** The newest beacon may come a moment before its block. Its height then follows from the beacons before it. */
const heightOf = (rows: readonly Beacon[], tiles: readonly Tile[]): number | null => {
  for (const [index, row] of rows.slice(0, 8).entries()) {
    const tile = tiles.findLast(({ id }) => id === row.id)
    if (tile !== undefined) return tile.height + index
    if (row.previous_hash !== rows[index + 1]?.hash) return null
  }
  return null
}
