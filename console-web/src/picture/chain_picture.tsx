// The chain as a picture: a tile for each block, brackets for the epochs, and the block that is being gathered.
import './picture.css'
import { type ComponentProps, memo, useCallback, useState } from 'react'
import { Link } from 'wouter'
import { type Epoch, epochsOf, useEpochs } from '../commitments/epoch.ts'
import { countdown, type Interval, lateAfterMs } from '../connection/countdown.ts'
import { useConsole } from '../data/console_context.ts'
import { keep, kept } from '../data/kept/browser_storage.ts'
import { Store, useStore } from '../data/store.ts'
import type { ListState } from '../data/stream/list_rules.ts'
import { Button } from '../ui/button.tsx'
import { count, duration, utcClock } from '../ui/format.ts'
import { useServiceTime } from '../ui/use_now.ts'
import { lanesOf, type Series } from './lanes.ts'
import { absencesOf, flagsOf, type ItemScale, itemScale, layOut, type Place, shortCount } from './layout.ts'
import { itemWords, laneWords, summaryWords, tileWords } from './picture_words.ts'
import type { Tile } from './tile.ts'
import { blockAddress, TileStrip } from './tile_strip.tsx'
import { useOwnItems } from './use_own_items.ts'

type ChainPictureProps = {
  readonly blocks: Pick<ListState<Tile>, 'rows' | 'first' | 'arrived'>
  /** Null until it is known, because it decides how wide everything is. */
  readonly interval: Interval | null
  /** The chains in use, also those without an epoch. Null until they are known. */
  readonly series: readonly Series[] | null
}

const UNKNOWN: Interval = { ms: 60_000, source: 'assumed' }

/** Renders only when what it shows has changed. */
export const ChainPicture = memo(({ blocks, interval: known, series }: ChainPictureProps) => {
  const { rows, first, arrived } = blocks
  const { clockOffset, connection } = useConsole()
  const offset = useStore(clockOffset)
  const { breaks } = useStore(connection.facts)
  const epochs = useEpochs(null, false)
  const { waiting: items, names } = useOwnItems(rows[0])
  const [active, setActive] = useState<string | null>(null)
  const [looked] = useState(() => new Store<string | null>(null))
  const [isExplained, setExplained] = useState(isLegendWanted)
  /** Of the strip as it is seen. */
  const [width, setWidth] = useState(0)
  const measure = useCallback((strip: HTMLDivElement) => {
    const observer = new ResizeObserver(() => setWidth(strip.clientWidth))
    observer.observe(strip)
    return () => observer.disconnect()
  }, [])

  const interval = known ?? UNKNOWN
  const layout = layOut(known === null ? [] : rows.toReversed(), interval.ms, width)
  const { places } = layout
  // From all that is read, also while the interval is not known: it decides how high the picture is.
  const scale = itemScale(rows, items ?? 0)
  const lanes = lanesOf(places, epochs, series ?? [])
  const flags = flagsOf(layout, names)
  const explain = (): void => {
    keep('device', LEGEND, isExplained ? 'away' : 'shown')
    setExplained(!isExplained)
  }
  return (
    <section className="picture box stack" aria-labelledby="picture-title" data-testid="picture">
      <div className="picture-head spread">
        <h2 id="picture-title">The chain</h2>
        <Button look="quiet" aria-expanded={isExplained} onClick={explain}>
          {isExplained ? 'Put the legend away' : 'What is this?'}
        </Button>
      </div>
      {isExplained && <Legend hasAbsence={breaks.length > 0} hasOwn={flags.length > 0} />}
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
          measure={measure}
          layout={layout}
          scale={scale}
          lanes={lanes}
          flags={flags}
          absences={absencesOf(breaks, offset, places)}
          arrived={arrived}
          active={active}
          onLook={(id) => looked.write(id)}
          onActive={setActive}
        />
        <Gathering
          head={places.at(-1)?.tile}
          interval={interval}
          offlineSince={breaks[0]?.until === null ? breaks[0].from + offset : null}
          items={items}
          scale={scale}
          unit={layout.unit}
        />
      </div>
      <TileLine places={places} epochs={epochs} own={names} looked={looked} active={active} />
      <ul className="lane-words soft" data-testid="lane-words">
        {lanes.map((lane) => (
          <li key={`${lane.chain} ${lane.network}`}>{laneWords(lane)}</li>
        ))}
        {lanes.length === 0 && series !== null && (
          <li>No public chain is in use, so no block goes on one.</li>
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
}

/** The line under the picture: the tile that is pointed at or walked to, otherwise the whole picture in words. */
const TileLine = ({ places, epochs, own, looked, active }: TileLineProps) => {
  const id = useStore(looked) ?? active
  const place = id === null ? undefined : places.find(({ tile }) => tile.id === id)
  return (
    <p className="tile-line cut" data-testid="tile-line">
      {place === undefined ? (
        summaryWords(places)
      ) : (
        <>
          {/* No stop of the keyboard: Enter opens the tile, and the line goes when the focus leaves the tiles. */}
          <Link to={blockAddress(place.tile.id)} tabIndex={-1}>
            Block {count(place.tile.height)}
          </Link>{' '}
          {tileWords(place, epochsOf(epochs, place.tile.id), own.get(place.tile.id))}
        </>
      )}
    </p>
  )
}

const LEGEND = 'pharos.picture.legend'

/** On a small screen it is shown when it is asked for, because it would take the place of everything else. */
const isLegendWanted = (): boolean =>
  (kept('device', LEGEND) ??
    (window.matchMedia('(max-width: 700px), (max-height: 700px)').matches ? 'away' : 'shown')) !== 'away'

const Legend = ({ hasAbsence, hasOwn }: { hasAbsence: boolean; hasOwn: boolean }) => (
  <ul className="picture-legend line soft" data-testid="legend">
    <li>A tile is a block: as wide as the time it took, as high as its items.</li>
    <Mark className="tile" data-committed="false">
      in the chain of this service
    </Mark>
    <Mark className="tile" data-committed="true">
      on another chain too
    </Mark>
    <Mark className="bracket" data-state="confirmed">
      epoch, open until then
    </Mark>
    <Mark className="tile-gap">no block was made</Mark>
    {hasOwn && <Mark className="flag">your items</Mark>}
    {hasAbsence && <Mark className="absence">this page was offline</Mark>}
  </ul>
)

const Mark = ({ children, ...mark }: ComponentProps<'i'>) => (
  <li>
    <i {...mark} /> {children}
  </li>
)

type GatheringProps = {
  readonly head: Tile | undefined
  readonly interval: Interval
  /** Since when this page is not connected, in server time. Null while it is. */
  readonly offlineSince: number | null
  /** Null until they were counted. */
  readonly items: number | null
  readonly scale: ItemScale
  /** Width of a block that takes exactly the interval. */
  readonly unit: number
}

const Since = ({ at }: { at: number }) => useServiceTime((now) => duration(now - at))

// What changes with the clock is read as it is shown, in whole pixels, because each frame of an open page costs.
const Gathering = ({ head, interval, offlineSince, items, scale, unit }: GatheringProps) => {
  const width = Math.max(18, unit)
  const isLate = useServiceTime((now) => head !== undefined && now - head.at > lateAfterMs(interval.ms))
  const filled = useServiceTime((now) =>
    head === undefined ? 0 : Math.round(width * countdown(head.at, interval, now).progress),
  )
  if (head === undefined) return <div className="gathering" data-state="unknown" />
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
      <div className="gathering-words soft">
        <strong>Block {count(head.height + 1)}</strong>
        {offlineSince !== null && <span>not connected since {utcClock(offlineSince)}</span>}
        {state === 'late' && (
          <span>
            none for <Since at={head.at} />
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
