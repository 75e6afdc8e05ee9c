// The strip of tiles with their gaps, times and brackets. Arrows walk the tiles, Enter opens a block.
import { type KeyboardEvent, type MouseEvent, memo, type RefObject, useId } from 'react'
import { Link } from 'wouter'
import { plural, utc, utcClock } from '../ui/format.ts'
import { Shown } from '../ui/shown_text.tsx'
import type { Lane } from './lanes.ts'
import {
  type AbsenceMark,
  type Flag,
  type ItemScale,
  type Layout,
  type Place,
  TILE_SEAM,
  type TimeMark,
} from './layout.ts'
import { tileName } from './picture_words.ts'
import { MOST_TILES } from './tile.ts'

type TileStripProps = {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly layout: Layout
  readonly scale: ItemScale
  readonly lanes: readonly Lane[]
  readonly times: readonly TimeMark[]
  readonly flags: readonly Flag[]
  readonly absences: readonly AbsenceMark[]
  /** The block that has just come. */
  readonly arrived: string | null
  readonly active: string | null
  readonly summary: string
  readonly onLook: (id: string | null) => void
  readonly onActive: (id: string | null) => void
  readonly onOpen: (id: string) => void
}

/** What stands before the oldest tile has this room at the left end of the strip. */
export const BEGINNING_WIDTH = 176
/** Room that a time needs; at the right end it would be cut off. */
const TIME_WIDTH = 52

export const TileStrip = ({ layout, scroller, active, arrived, ...props }: TileStripProps) => {
  const summaryId = useId()
  const { places, width } = layout
  const first = places[0]?.tile
  const keys = useTileKeys({ places, active, scroller, onActive: props.onActive, onOpen: props.onOpen })

  const clicked = (event: MouseEvent<HTMLElement>): void => {
    const id = idAt(event)
    if (id === null || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    // A finger covers several tiles, so the first touch only tells which one it was.
    if (isTouch(event) && id !== active) props.onActive(id)
    else props.onOpen(id)
  }

  return (
    // The newest end stays where it is when something is added at the other one.
    <div className="strip" ref={scroller} dir="rtl" data-testid="strip">
      <div className="strip-inside" dir="ltr" style={{ width: width + BEGINNING_WIDTH }}>
        <p className="strip-beginning">
          {first?.height === 0 && `The chain begins here, ${minute(first.at)} UTC.`}
          {places.length === MOST_TILES && (
            <>
              Older blocks are on the page <Link to="/chain">Chain</Link>.
            </>
          )}
        </p>
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
              style={{ left: x, maxWidth: room, bottom: `${(props.scale.share(items) * 100).toFixed(1)}%` }}
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
              onKeyDown={keys.pressed}
              onFocus={keys.focused}
              onBlur={() => props.onActive(null)}
              onClick={clicked}
              onPointerOver={(event) => props.onLook(idAt(event))}
              onPointerLeave={() => props.onLook(null)}
            >
              {places.map((place, index) => (
                <TileMark
                  key={place.tile.id}
                  tile={place.tile}
                  name={tileName(place)}
                  x={place.x}
                  width={place.width}
                  share={props.scale.share(place.tile.items)}
                  isActive={place.tile.id === active}
                  isNew={place.tile.id === arrived}
                  position={index + 1}
                  of={places.length}
                />
              ))}
            </div>
          )}
        </div>
        <div className="strip-times" aria-hidden="true">
          {props.times
            .filter(({ x }) => x <= width - TIME_WIDTH)
            .map(({ id, x, at, isNewDay }) => (
              <span key={id} style={{ left: x }}>
                {isNewDay ? minute(at).slice(5) : utcClock(new Date(at).toISOString())}
              </span>
            ))}
        </div>
        <div className="strip-lanes" aria-hidden="true">
          {props.lanes.map((lane) => (
            <BracketLane key={`${lane.chain} ${lane.network}`} lane={lane} />
          ))}
        </div>
        <p id={summaryId} className="visually-hidden">
          {props.summary}
        </p>
      </div>
    </div>
  )
}

const minute = (at: number): string => utc(new Date(at).toISOString()).slice(0, 16)

const idAt = ({ target }: { readonly target: EventTarget }): string | null =>
  target instanceof Element ? (target.closest('[data-id]')?.getAttribute('data-id') ?? null) : null

const isTouch = ({ nativeEvent }: MouseEvent): boolean =>
  nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch'

const tileElementId = (id: string): string => `tile-${id}`
export const blockAddress = (id: string): string => `/blocks/${id}`

type TileMarkProps = Pick<Place, 'tile' | 'x' | 'width'> & {
  readonly name: string
  /** Share of the full height, from 0 to 1. */
  readonly share: number
  readonly isActive: boolean
  readonly isNew: boolean
  readonly position: number
  readonly of: number
}

/**
 * A link, so that it opens in another tab as links do. Places are measured anew with each block, and most of them stay what
 * they were.
 */
const TileMark = memo(({ tile, name, x, width, share, isActive, isNew, position, of }: TileMarkProps) => (
  // biome-ignore lint/a11y/useAnchorContent: its label names it, and there is no room for text
  <a
    id={tileElementId(tile.id)}
    role="option"
    aria-selected={isActive}
    aria-label={name}
    aria-posinset={position}
    aria-setsize={of}
    tabIndex={-1}
    href={blockAddress(tile.id)}
    draggable={false}
    className="tile"
    data-id={tile.id}
    data-testid="tile"
    data-committed={tile.committed}
    data-new={isNew}
    style={{ left: x, width: Math.max(3, width - TILE_SEAM), height: `${(share * 100).toFixed(1)}%` }}
  />
))
TileMark.displayName = 'TileMark'

/** Narrower brackets show no number. */
const WIDE_ENOUGH = 84
const marks = { confirmed: ' ✓', pending: '', submitted: ' …', failed: ' !' } as const

/** A bracket is closed at its right end once the transaction of its epoch is confirmed. */
const BracketLane = memo(({ lane }: { lane: Lane }) => (
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
        {width >= WIDE_ENOUGH && <span>{`epoch ${epoch.sequence}${marks[epoch.state]}`}</span>}
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
))
BracketLane.displayName = 'BracketLane'

type TileKeysOptions = Pick<TileStripProps, 'active' | 'scroller' | 'onActive' | 'onOpen'> & {
  readonly places: readonly Place[]
}

const PAGE = 20

const useTileKeys = ({ places, active, scroller, onActive, onOpen }: TileKeysOptions) => {
  const show = (index: number): void => {
    const place = places[Math.max(0, Math.min(places.length - 1, index))]
    if (place === undefined) return
    onActive(place.tile.id)
    document
      .getElementById(tileElementId(place.tile.id))
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const pressed = (event: KeyboardEvent): void => {
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
    else if (event.key === 'Enter' && active !== null) onOpen(active)
    else return
    event.preventDefault()
  }

  /** A click sets the focus too, and then chooses a tile by itself. */
  const focused = (): void => {
    if (active === null && scroller.current?.querySelector('.tiles:focus-visible') != null)
      show(places.length - 1)
  }
  return { pressed, focused }
}
