// The chain as a picture: a tile for each block, brackets for the epochs, and the block that is being gathered.
import './picture.css'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Interval } from '../connection/countdown.ts'
import { useConsole } from '../data/console_context.ts'
import { Store } from '../data/store.ts'
import { useStore } from '../data/use_store.ts'
import { absenceMarks } from './absences.ts'
import { lanesOf, type Series } from './brackets.ts'
import { Gathering } from './gathering.tsx'
import { ItemAxis } from './item_axis.tsx'
import { itemScale } from './item_scale.ts'
import { Legend, useLegend } from './legend.tsx'
import { layOut } from './measure.ts'
import { FORGET_ABOVE, type PictureFeed } from './picture_feed.ts'
import { laneWords, summaryWords } from './picture_words.ts'
import { BEGINNING_WIDTH } from './strip_beginning.tsx'
import { countSubmitted } from './submitted.ts'
import type { Tile } from './tile.ts'
import { TileLine } from './tile_line.tsx'
import { blockAddress } from './tile_mark.tsx'
import { TileStrip } from './tile_strip.tsx'
import { timeMarks } from './time_marks.ts'
import { useStripAnchor, useStripWindow } from './use_strip_window.ts'

type ChainPictureProps = {
  readonly picture: PictureFeed
  /** Null until it is known, because it decides how wide everything is. */
  readonly interval: Interval | null
  /** The chains in use, also those without an epoch. Null until they are known. */
  readonly series: readonly Series[] | null
}

const UNKNOWN: Interval = { ms: 60_000, source: 'assumed' }
const NO_TILES: readonly Tile[] = []

/** Renders only when what it shows has changed. */
export const ChainPicture = memo(({ picture, interval: known, series }: ChainPictureProps) => {
  const state = useStore(picture.state)
  const clockOffset = useStore(useConsole().clockOffset)
  const [, navigate] = useLocation()
  const [active, setActive] = useState<string | null>(null)
  const [looked] = useState(() => new Store<string | null>(null))
  const legend = useLegend()
  const scroller = useRef<HTMLDivElement>(null)

  const interval = known ?? UNKNOWN
  const tiles = known === null ? NO_TILES : state.list.tiles
  const items = state.submitted === null ? null : countSubmitted(state.submitted)
  const { measure, toEnd, ...seen } = useStripWindow(scroller)
  const room = seen.width - BEGINNING_WIDTH
  const layout = useMemo(() => layOut(tiles, interval.ms, room), [tiles, interval.ms, room])
  const scale = useMemo(() => itemScale(tiles, items ?? 0), [tiles, items])
  const lanes = useMemo(
    () => lanesOf(layout.places, state.epochs, series ?? []),
    [layout, state.epochs, series],
  )
  const times = useMemo(() => timeMarks(layout.places, layout.unit), [layout])
  const absences = useMemo(() => absenceMarks(state.absences, layout.places), [state.absences, layout])
  const summary = useMemo(() => summaryWords(layout.places), [layout])
  const head = tiles.at(-1) ?? null
  const headId = head?.id
  const anchor = useMemo(
    () =>
      headId === undefined
        ? null
        : {
            key: headId,
            distance: (id: string) => {
              const place = layout.places.findLast(({ tile }) => tile.id === id)
              return place === undefined ? null : layout.width - place.x - place.width
            },
          },
    [headId, layout],
  )
  useStripAnchor(scroller, anchor)
  const open = useCallback((id: string) => navigate(blockAddress(id)), [navigate])
  const loadOlder = useCallback(() => void picture.loadOlder(), [picture])
  const offline = state.absences.at(-1)
  const held = tiles.length
  useEffect(() => {
    if (held > FORGET_ABOVE && seen.isAtEnd && active === null) picture.forgetOld()
  }, [seen.isAtEnd, active, picture, held])

  return (
    <section className="picture" aria-labelledby="picture-title" data-testid="picture">
      <div className="picture-head">
        <h2 id="picture-title">The chain</h2>
        {!seen.isAtEnd && (
          <button type="button" className="text-button" onClick={toEnd}>
            Back to now
          </button>
        )}
        <button type="button" className="text-button" aria-expanded={legend.isShown} onClick={legend.toggle}>
          {legend.isShown ? 'Put the legend away' : 'What is this?'}
        </button>
      </div>
      {legend.isShown && <Legend hasAbsence={state.absences.length > 0} />}
      {state.problem !== null && (
        <p className="problem" role="status">
          The blocks could not be read: {state.problem} It is tried again.
        </p>
      )}
      <div className="picture-plot">
        <ItemAxis scale={scale} />
        <TileStrip
          scroller={scroller}
          window={seen}
          onScroll={measure}
          layout={layout}
          scale={scale}
          lanes={lanes}
          times={times}
          absences={absences}
          older={state.older}
          active={active}
          summary={summary}
          onLook={looked.write.bind(looked)}
          onActive={setActive}
          onOpen={open}
          onOlder={loadOlder}
        />
        <Gathering
          head={head}
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
        epochs={state.epochs}
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
