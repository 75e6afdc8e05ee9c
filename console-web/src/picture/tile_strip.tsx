// The strip of tiles with their gaps, times and brackets. Arrows walk the tiles, Enter opens a block.
import { type FocusEvent, type KeyboardEvent, type MouseEvent, type RefCallback, useId } from 'react'
import { Link, useLocation } from 'wouter'
import { dayAndTime, plural, utc, utcClock } from '../ui/format.ts'
import { Shown } from '../ui/shown_text.tsx'
import type { Lane } from './lanes.ts'
import { type absencesOf, type flagsOf, type ItemScale, type Layout, TILE_SEAM, timeMarks } from './layout.ts'
import { summaryWords, tileName } from './picture_words.ts'
import { MOST_TILES } from './tile.ts'

type TileStripProps = {
  /** Measures the strip while it is shown. */
  readonly measure: RefCallback<HTMLDivElement>
  readonly layout: Layout
  readonly scale: ItemScale
  readonly lanes: readonly Lane[]
  readonly flags: ReturnType<typeof flagsOf>
  readonly absences: ReturnType<typeof absencesOf>
  /** The block that has just come. */
  readonly arrived: string | null
  readonly active: string | null
  readonly onLook: (id: string | null) => void
  readonly onActive: (id: string | null) => void
}

/** Room that a time needs; at the right end it would be cut off. With a day it takes up to twice as much. */
const TIME_WIDTH = 52

export const TileStrip = (props: TileStripProps) => {
  const { layout, active } = props
  const { places, width, seen } = layout
  const summaryId = useId()
  const acts = useTileActs(props)
  const first = places[0]?.tile
  const heightOf = (items: number): string => `${(props.scale.share(items) * 100).toFixed(1)}%`
  return (
    // The newest end stays where it is when something is added at the other one.
    <div className="strip" ref={props.measure} dir="rtl" data-testid="strip">
      <div className="strip-inside" dir="ltr" style={{ width }}>
        <p className="strip-beginning soft" hidden={layout.isBeginningCut}>
          {first?.height === 0 && `The chain begins here, ${dayAndTime(first.at)}.`}
          {places.length === MOST_TILES && (
            <>
              Older blocks are on the page <Link to="/chain">Chain</Link>.
            </>
          )}
        </p>
        <div className="strip-tiles">
          {props.absences.map(({ from, x, width: span, blocks }) => (
            <span
              key={from}
              className="absence"
              data-testid="absence"
              title={`This page was offline; ${plural(blocks, 'block')} read afterwards`}
              style={{ left: x, width: span }}
            />
          ))}
          {places.map(
            ({ gap, tile }) =>
              // Its width is not to scale, which its broken edge says.
              gap !== null && (
                <span
                  key={tile.id}
                  className="tile-gap"
                  data-testid="gap"
                  aria-hidden="true"
                  style={{ left: gap.x, width: Math.max(4, gap.width - TILE_SEAM) }}
                />
              ),
          )}
          {props.flags.map(({ id, x, room, items, text }) => (
            <span
              key={id}
              className="flag cut"
              aria-hidden="true"
              data-testid="flag"
              style={{ left: x, maxWidth: room, bottom: heightOf(items) }}
            >
              <Shown text={text} />
            </span>
          ))}
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
              {...acts}
            >
              {places.map((place, index) => (
                // A link, so that it opens in another tab as links do.
                // biome-ignore lint/a11y/useAnchorContent: its label names it, and there is no room for text
                <a
                  key={place.tile.id}
                  id={tileElementId(place.tile.id)}
                  role="option"
                  aria-selected={place.tile.id === active}
                  aria-label={tileName(place)}
                  aria-posinset={index + 1}
                  aria-setsize={places.length}
                  tabIndex={-1}
                  href={blockAddress(place.tile.id)}
                  draggable={false}
                  className="tile"
                  data-id={place.tile.id}
                  data-testid="tile"
                  data-committed={place.tile.committed}
                  data-new={place.tile.id === props.arrived}
                  style={{
                    left: place.x,
                    width: Math.max(3, place.width - TILE_SEAM),
                    height: heightOf(place.tile.items),
                  }}
                />
              ))}
            </div>
          )}
        </div>
        <div className="strip-times" aria-hidden="true">
          {timeMarks(layout)
            .filter(({ x }) => x <= width - TIME_WIDTH && Math.abs(x + TIME_WIDTH - seen) > TIME_WIDTH)
            .map(({ id, x, at, isNewDay }) => (
              <span key={id} style={{ left: x }}>
                {isNewDay ? utc(at).slice(5, 16) : utcClock(at)}
              </span>
            ))}
        </div>
        <div className="strip-lanes" aria-hidden="true">
          {props.lanes.map((lane) => (
            <BracketLane key={`${lane.chain} ${lane.network}`} lane={lane} seen={seen} />
          ))}
        </div>
        <p id={summaryId} className="visually-hidden">
          {summaryWords(places)}
        </p>
      </div>
    </div>
  )
}

const idAt = ({ target }: { readonly target: EventTarget }): string | null =>
  target instanceof Element ? (target.closest('[data-id]')?.getAttribute('data-id') ?? null) : null

const isTouch = ({ nativeEvent }: MouseEvent): boolean =>
  nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'

const tileElementId = (id: string): string => `tile-${id}`
export const blockAddress = (id: string): string => `/blocks/${id}`

/** Narrower brackets show no number. */
const WIDE_ENOUGH = 84
const marks = { confirmed: ' ✓', pending: '', submitted: ' …', failed: ' !' } as const

/** A bracket is closed at its right end once the transaction of its epoch is confirmed. */
const BracketLane = ({ lane, seen }: { lane: Lane; seen: number }) => (
  <div className="lane" data-testid="lane">
    {lane.brackets.map(({ epoch, x, width, isCut }) => (
      <span
        key={epoch.id}
        className="bracket"
        data-testid="bracket"
        data-state={epoch.state}
        data-cut={isCut}
        style={{ left: x, width: Math.max(3, width - TILE_SEAM) }}
      >
        {width >= WIDE_ENOUGH && Math.abs(x + width / 2 - seen) * 2 > WIDE_ENOUGH && (
          <span>{`epoch ${epoch.sequence}${marks[epoch.state]}`}</span>
        )}
      </span>
    ))}
    {lane.next !== null && (
      <span
        className="bracket"
        data-state="gathering"
        style={{ left: lane.next.x, width: Math.max(3, lane.next.width) }}
      />
    )}
  </div>
)

const PAGE = 20

const useTileActs = ({ layout: { places }, active, onLook, onActive }: TileStripProps) => {
  const [, navigate] = useLocation()
  const open = (id: string): void => navigate(blockAddress(id))
  const show = (index: number): void => {
    const place = places[Math.max(0, Math.min(places.length - 1, index))]
    if (place === undefined) return
    onActive(place.tile.id)
    document
      .getElementById(tileElementId(place.tile.id))
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const index = places.findIndex(({ tile }) => tile.id === active)
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      PageUp: index - PAGE,
      PageDown: index + PAGE,
      Home: 0,
      End: places.length - 1,
    }
    const step = steps[event.key]
    if (step !== undefined) show(index === -1 ? places.length - 1 : step)
    else if (event.key === 'Enter' && active !== null) open(active)
    else return
    event.preventDefault()
  }

  const onClick = (event: MouseEvent): void => {
    const id = idAt(event)
    if (id === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    // A finger covers several tiles, so the first touch only tells which one it was.
    if (isTouch(event) && id !== active) onActive(id)
    else open(id)
  }

  return {
    onKeyDown,
    onClick,
    /** A click sets the focus too, and then chooses a tile by itself. */
    onFocus: ({ currentTarget }: FocusEvent): void => {
      if (active === null && currentTarget.matches(':focus-visible')) show(places.length - 1)
    },
    onBlur: () => onActive(null),
    onPointerOver: (event: MouseEvent) => onLook(idAt(event)),
    onPointerLeave: () => onLook(null),
  }
}
