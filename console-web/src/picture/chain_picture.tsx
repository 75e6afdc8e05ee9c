// The chain as a picture: a tile for each block, brackets for the epochs, and the block that is being gathered.
import './picture.css'
import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Epoch, epochsOf, useEpochs } from '../commitments/epoch.ts'
import { countdown, type Interval, lateAfterMs } from '../connection/countdown.ts'
import { useConsole } from '../data/console_context.ts'
import { keep, kept } from '../data/kept/browser_storage.ts'
import { Store, useStore } from '../data/store.ts'
import type { ListState } from '../data/stream/list_rules.ts'
import { Button } from '../ui/button.tsx'
import { count, duration, utcClock } from '../ui/format.ts'
import { useNow } from '../ui/use_now.ts'
import { lanesOf, type Series } from './lanes.ts'
import {
  type Absence,
  absenceMarks,
  flagsOf,
  type ItemScale,
  itemScale,
  layOut,
  type Place,
  shortCount,
  timeMarks,
} from './layout.ts'
import { itemWords, laneWords, summaryWords, tileWords } from './picture_words.ts'
import type { Tile } from './tile.ts'
import { BEGINNING_WIDTH, blockAddress, TileStrip } from './tile_strip.tsx'
import { useOwnItems } from './use_own_items.ts'

type ChainPictureProps = {
  readonly blocks: Pick<ListState<Tile>, 'rows' | 'first' | 'arrived'>
  /** Null until it is known, because it decides how wide everything is. */
  readonly interval: Interval | null
  /** The chains in use, also those without an epoch. Null until they are known. */
  readonly series: readonly Series[] | null
}

const UNKNOWN: Interval = { ms: 60_000, source: 'assumed' }
const NO_TILES: readonly Tile[] = []

/** Renders only when what it shows has changed. */
export const ChainPicture = memo(({ blocks, interval: known, series }: ChainPictureProps) => {
  const { rows, first, arrived } = blocks
  const clockOffset = useStore(useConsole().clockOffset)
  const epochs = useEpochs(null, false)
  const { waiting: items, names } = useOwnItems(rows[0])
  const absences = useAbsences(clockOffset)
  const [, navigate] = useLocation()
  const [active, setActive] = useState<string | null>(null)
  const [looked] = useState(() => new Store<string | null>(null))
  const legend = useLegend()
  const scroller = useRef<HTMLDivElement>(null)

  const interval = known ?? UNKNOWN
  const tiles = useMemo(() => (known === null ? NO_TILES : rows.toReversed()), [known, rows])
  const room = useWidth(scroller) - BEGINNING_WIDTH
  const layout = useMemo(() => layOut(tiles, interval.ms, room), [tiles, interval.ms, room])
  // From all that is read, also while the interval is not known: it decides how high the picture is.
  const scale = useMemo(() => itemScale(rows, items ?? 0), [rows, items])
  const lanes = useMemo(() => lanesOf(layout.places, epochs, series ?? []), [layout, epochs, series])
  const times = useMemo(() => timeMarks(layout), [layout])
  const flags = useMemo(() => flagsOf(layout, names), [layout, names])
  const absent = useMemo(() => absenceMarks(absences, layout.places), [absences, layout])
  const summary = useMemo(() => summaryWords(layout.places), [layout])
  const open = useCallback((id: string) => navigate(blockAddress(id)), [navigate])
  const offline = absences[0]

  return (
    <section className="picture box stack" aria-labelledby="picture-title" data-testid="picture">
      <div className="picture-head spread">
        <h2 id="picture-title">The chain</h2>
        <Button look="quiet" aria-expanded={legend.isShown} onClick={legend.toggle}>
          {legend.isShown ? 'Put the legend away' : 'What is this?'}
        </Button>
      </div>
      {legend.isShown && <Legend hasAbsence={absences.length > 0} hasOwn={flags.length > 0} />}
      {first.kind === 'failed' && (
        <p className="problem" role="status">
          The blocks could not be read: {first.why} It is tried again.
        </p>
      )}
      <div className="picture-plot" data-low={scale.isLow}>
        <div className="item-axis" title="Items in a block, on a logarithmic scale">
          <span className="item-axis-name">items</span>
          {scale.marks.map((mark) => (
            <span key={mark} className="item-axis-mark" style={{ bottom: `${scale.share(mark) * 100}%` }}>
              {shortCount(mark)}
            </span>
          ))}
        </div>
        <TileStrip
          scroller={scroller}
          layout={layout}
          scale={scale}
          lanes={lanes}
          times={times}
          flags={flags}
          absences={absent}
          arrived={arrived}
          active={active}
          summary={summary}
          onLook={looked.write.bind(looked)}
          onActive={setActive}
          onOpen={open}
        />
        <Gathering
          head={tiles.at(-1) ?? null}
          interval={interval}
          clockOffset={clockOffset}
          offlineSince={offline !== undefined && offline.to === null ? offline.from : null}
          items={items}
          scale={scale}
          unit={layout.unit}
        />
      </div>
      <TileLine
        places={layout.places}
        epochs={epochs}
        own={names}
        looked={looked}
        active={active}
        summary={summary}
      />
      <ul className="lane-words" data-testid="lane-words">
        {lanes.map((lane) => (
          <li key={`${lane.chain} ${lane.network}`}>{laneWords(lane)}</li>
        ))}
        {lanes.length === 0 && series !== null && (
          <li>No public chain is in use, so blocks stay finalized.</li>
        )}
      </ul>
    </section>
  )
})
ChainPicture.displayName = 'ChainPicture'

type TileLineProps = {
  readonly places: readonly Place[]
  readonly epochs: readonly Epoch[]
  readonly own: ReadonlyMap<string, readonly string[]>
  readonly looked: Store<string | null>
  readonly active: string | null
  readonly summary: string
}

/** The line under the picture: the tile that is pointed at or walked to, otherwise the whole picture in words. */
const TileLine = ({ places, epochs, own, looked, active, summary }: TileLineProps) => {
  const pointed = useStore(looked)
  const id = pointed ?? active
  const place = id === null ? undefined : places.find(({ tile }) => tile.id === id)
  return (
    <p className="tile-line cut" data-testid="tile-line">
      {place === undefined ? (
        summary
      ) : (
        <>
          <Link to={blockAddress(place.tile.id)} tabIndex={active === null ? -1 : undefined}>
            Block {count(place.tile.height)}
          </Link>{' '}
          {tileWords(place, epochsOf(epochs, place.tile.id), own.get(place.tile.id) ?? [])}
        </>
      )}
    </p>
  )
}

/** Newest first. */
const useAbsences = (clockOffset: number): readonly Absence[] => {
  const { breaks } = useStore(useConsole().connection.facts)
  return useMemo(
    () =>
      breaks.map(({ from, until }) => ({
        from: from + clockOffset,
        to: until === null ? null : until + clockOffset,
      })),
    [breaks, clockOffset],
  )
}

/** The width of the strip as it is seen. */
const useWidth = (scroller: RefObject<HTMLDivElement | null>): number => {
  const [width, setWidth] = useState(0)
  const measure = useCallback(() => setWidth(scroller.current?.clientWidth ?? 0), [scroller])
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, measure])
  return width
}

const NAME = 'pharos.picture.legend'

const useLegend = (): { readonly isShown: boolean; readonly toggle: () => void } => {
  const [isShown, setShown] = useState(isWanted)
  return {
    isShown,
    toggle: () => {
      keep('device', NAME, isShown ? 'away' : 'shown')
      setShown(!isShown)
    },
  }
}

/** On a small screen it is shown when it is asked for, because it would take the place of everything else. */
const isWanted = (): boolean =>
  (kept('device', NAME) ??
    (window.matchMedia('(max-width: 700px), (max-height: 700px)').matches ? 'away' : 'shown')) !== 'away'

type LegendProps = { readonly hasAbsence: boolean; readonly hasOwn: boolean }

const Legend = ({ hasAbsence, hasOwn }: LegendProps) => (
  <ul className="picture-legend line" data-testid="legend">
    <li>A tile is a block: as wide as the time it took, as high as its items.</li>
    <li>
      <i className="tile" data-committed="false" /> finalized
    </li>
    <li>
      <i className="tile" data-committed="true" /> committed: its epoch’s transaction is confirmed
    </li>
    <li>
      <i className="bracket" data-state="confirmed" /> epoch, open until then
    </li>
    <li>
      <i className="tile-gap" /> no block was made
    </li>
    {hasOwn && (
      <li>
        <i className="flag" /> your items
      </li>
    )}
    {hasAbsence && (
      <li>
        <i className="absence" /> this page was offline
      </li>
    )}
  </ul>
)

type GatheringProps = {
  readonly head: { readonly height: number; readonly at: number } | null
  readonly interval: Interval
  readonly clockOffset: number
  /** Since when this page is not connected, in server time. Null while it is. */
  readonly offlineSince: number | null
  /** Null until they were counted. */
  readonly items: number | null
  readonly scale: ItemScale
  /** Width of a block that takes exactly the interval. */
  readonly unit: number
}

/** @param at Local milliseconds. */
const Since = ({ at }: { at: number }) => useNow((now) => duration(now - at))

// What changes with the clock is read as it is shown, in whole pixels, because each frame of an open page costs.
const Gathering = ({ head, interval, clockOffset, offlineSince, items, scale, unit }: GatheringProps) => {
  const width = Math.max(18, unit)
  const isLate = useNow((now) => head !== null && now + clockOffset - head.at > lateAfterMs(interval.ms))
  const filled = useNow((now) =>
    head === null ? 0 : Math.round(width * countdown(head.at, interval, now + clockOffset).progress),
  )
  if (head === null) return <div className="gathering" data-state="unknown" />
  const state = offlineSince !== null ? 'offline' : isLate ? 'late' : 'filling'
  return (
    <div className="gathering" data-state={state} data-testid="gathering">
      <div className="gathering-tile" style={{ width }} aria-hidden="true">
        <span
          className="gathering-fill"
          style={{
            width: state === 'filling' ? filled : width,
            height: `${(scale.share(items ?? 0) * 100).toFixed(1)}%`,
          }}
        />
      </div>
      <div className="gathering-words">
        <strong>Block {count(head.height + 1)}</strong>
        {offlineSince !== null && (
          <span>not connected since {utcClock(new Date(offlineSince).toISOString())}</span>
        )}
        {state === 'late' && (
          <span>
            none for <Since at={head.at - clockOffset} />
          </span>
        )}
        {items !== null && state !== 'offline' && (
          <span title="Items of your team that you may read, submitted since the newest block. The block holds everybody's.">
            {itemWords(items)} of your team
          </span>
        )}
      </div>
    </div>
  )
}
