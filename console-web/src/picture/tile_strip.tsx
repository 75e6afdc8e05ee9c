// The strip of tiles, which scrolls back in time. Only what is in view stands in the page.
import { type MouseEvent, type RefObject, useCallback, useEffect, useId, useMemo } from 'react'
import { plural } from '../ui/format_count.ts'
import { utc, utcClock } from '../ui/format_time.ts'
import type { AbsenceMark } from './absences.ts'
import { BracketLane } from './bracket_lane.tsx'
import type { Lane } from './brackets.ts'
import type { ItemScale } from './item_scale.ts'
import { type Layout, placesIn } from './measure.ts'
import type { OlderTiles } from './picture_state.ts'
import { BEGINNING_WIDTH, StripBeginning } from './strip_beginning.tsx'
import { GapMark, TileMark, tileElementId } from './tile_mark.tsx'
import type { TimeMark } from './time_marks.ts'
import type { StripWindow } from './use_strip_window.ts'
import { useTileKeys } from './use_tile_keys.ts'

type TileStripProps = {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly window: StripWindow
  readonly onScroll: () => void
  readonly layout: Layout
  readonly scale: ItemScale
  readonly lanes: readonly Lane[]
  readonly times: readonly TimeMark[]
  readonly absences: readonly AbsenceMark[]
  readonly older: OlderTiles
  readonly active: string | null
  readonly summary: string
  readonly onLook: (id: string | null) => void
  readonly onActive: (id: string | null) => void
  readonly onOpen: (id: string) => void
  readonly onOlder: () => void
}

export const TileStrip = ({ layout, window, scroller, active, onOlder, ...props }: TileStripProps) => {
  const summaryId = useId()
  const { places, width } = layout
  const whole = width + BEGINNING_WIDTH
  const from = whole - window.far - BEGINNING_WIDTH
  const to = whole - window.near - BEGINNING_WIDTH
  // At the head of the chain nothing is cut off at the left edge. Where it is scrolled, that tells that there is more.
  const edge = window.isAtEnd ? width - window.width : from - 100
  const { first, end } = useMemo(() => placesIn(places, from, to), [places, from, to])
  const seen = places.slice(first, end)
  const keys = useTileKeys({
    places,
    active,
    scroller,
    width,
    onActive: props.onActive,
    onOpen: props.onOpen,
  })

  const isNearBeginning = from < AHEAD_PX
  useEffect(() => {
    if (isNearBeginning && props.older === 'idle' && places.length > 0) onOlder()
  }, [isNearBeginning, props.older, places.length, onOlder])

  const clicked = useCallback(
    (event: MouseEvent<HTMLElement>): void => {
      const id = idAt(event)
      if (id === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      // A finger covers several tiles, so the first touch only tells which one it was.
      if (isTouch(event) && id !== active) props.onActive(id)
      else props.onOpen(id)
    },
    [active, props.onActive, props.onOpen],
  )

  return (
    <div className="strip" ref={scroller} onScroll={props.onScroll} dir="rtl" data-testid="strip">
      <div className="strip-inside" dir="ltr" style={{ width: whole, paddingLeft: BEGINNING_WIDTH }}>
        {edge <= -BEGINNING_WIDTH && (
          <StripBeginning older={props.older} first={places[0]?.tile ?? null} onOlder={onOlder} />
        )}
        <div className="strip-tiles">
          {props.absences.map(({ absence, x, width: span, blocks }) => (
            <span
              key={absence.from}
              className="absence"
              data-testid="absence"
              title={`This page was offline; ${plural(blocks, 'block')} read afterwards`}
              style={{ left: x, width: span }}
            />
          ))}
          {seen.map(({ gap, tile }) => gap !== null && <GapMark key={tile.id} gap={gap} />)}
          {places.length > 0 && (
            <div
              className="tiles"
              role="listbox"
              aria-orientation="horizontal"
              aria-label="Blocks, the newest last. Arrow keys walk, Enter opens the block."
              aria-describedby={summaryId}
              aria-activedescendant={active === null ? undefined : tileElementId(active)}
              tabIndex={0}
              data-testid="tiles"
              onKeyDown={keys.pressed}
              onFocus={keys.focused}
              onBlur={() => props.onActive(null)}
              onClick={clicked}
              onPointerOver={(event) => props.onLook(idAt(event))}
              onPointerLeave={() => props.onLook(null)}
            >
              {seen.map((place, index) => (
                <TileMark
                  key={place.tile.id}
                  place={place}
                  share={props.scale.share(place.tile.items)}
                  isActive={place.tile.id === active}
                  position={first + index + 1}
                  of={places.length}
                />
              ))}
            </div>
          )}
        </div>
        <div className="strip-times" aria-hidden="true">
          {props.times
            .filter(({ x }) => x >= edge && x <= Math.min(to, width - TIME_WIDTH))
            .map(({ id, x, at, isNewDay }) => (
              <span key={id} style={{ left: x }}>
                {isNewDay
                  ? utc(new Date(at).toISOString()).slice(5, 16)
                  : utcClock(new Date(at).toISOString())}
              </span>
            ))}
        </div>
        <div className="strip-lanes" aria-hidden="true">
          {props.lanes.map((lane) => (
            <BracketLane key={`${lane.chain} ${lane.network}`} lane={lane} from={from} to={to} />
          ))}
        </div>
        <p id={summaryId} className="visually-hidden">
          {props.summary}
        </p>
      </div>
    </div>
  )
}

/** Older tiles are read when this much, and the step of the window, are left before the oldest. */
const AHEAD_PX = 240

/** Room that a time needs; at the right end it would be cut off. */
const TIME_WIDTH = 52

const idAt = ({ target }: { readonly target: EventTarget }): string | null =>
  target instanceof Element ? (target.closest('[data-id]')?.getAttribute('data-id') ?? null) : null

const isTouch = ({ nativeEvent }: MouseEvent): boolean =>
  nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'
