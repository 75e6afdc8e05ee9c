// One tile, with the gap before it. A link, so that it opens in another tab as links do.
import { memo } from 'react'
import { type Place, TILE_SEAM } from './measure.ts'
import { tileName } from './picture_words.ts'

type TileMarkProps = {
  readonly place: Place
  /** Share of the full height, from 0 to 1. */
  readonly share: number
  readonly isActive: boolean
  readonly position: number
  readonly of: number
}

export const tileElementId = (id: string): string => `tile-${id}`
export const blockAddress = (id: string): string => `/blocks/${id}`

export const TileMark = memo(
  ({ place, share, isActive, position, of }: TileMarkProps) => (
    // biome-ignore lint/a11y/useAnchorContent: its label names it, and there is no room for text
    <a
      id={tileElementId(place.tile.id)}
      role="option"
      aria-selected={isActive}
      aria-label={tileName(place)}
      aria-posinset={position}
      aria-setsize={of}
      tabIndex={-1}
      href={blockAddress(place.tile.id)}
      draggable={false}
      className="tile"
      data-id={place.tile.id}
      data-testid="tile"
      data-committed={place.tile.committed}
      style={{
        left: place.x,
        width: Math.max(3, place.width - TILE_SEAM),
        height: `${(share * 100).toFixed(1)}%`,
      }}
    />
  ),
  sameTile,
)
TileMark.displayName = 'TileMark'

/** Places are measured anew with each block, and most of them stay what they were. */
function sameTile(a: TileMarkProps, b: TileMarkProps): boolean {
  return (
    a.place.tile === b.place.tile &&
    a.place.x === b.place.x &&
    a.place.width === b.place.width &&
    a.place.tookMs === b.place.tookMs &&
    a.place.gap?.ms === b.place.gap?.ms &&
    a.share === b.share &&
    a.isActive === b.isActive &&
    a.position === b.position &&
    // The size of the list is read with a tile's name, which happens only to the active one.
    (a.of === b.of || !b.isActive)
  )
}

/** A time in which the service made no block. Its width is not to scale, which its broken edge says. */
export const GapMark = memo(({ gap }: { gap: NonNullable<Place['gap']> }) => (
  <span
    className="tile-gap"
    data-testid="gap"
    aria-hidden="true"
    style={{ left: gap.x, width: Math.max(4, gap.width - TILE_SEAM) }}
  />
))
GapMark.displayName = 'GapMark'
