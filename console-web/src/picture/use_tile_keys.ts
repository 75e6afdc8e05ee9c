// The keys of the picture: arrows walk the tiles, Home and End go to either end, Enter opens.
import { type KeyboardEvent, type RefObject, useCallback } from 'react'
import type { Place } from './measure.ts'
import { BEGINNING_WIDTH } from './strip_beginning.tsx'

type TileKeysOptions = {
  readonly places: readonly Place[]
  readonly active: string | null
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly width: number
  readonly onActive: (id: string | null) => void
  readonly onOpen: (id: string) => void
}

const PAGE = 20
/** Left free between the active tile and the edge of the view. */
const MARGIN = 60

export const useTileKeys = ({ places, active, scroller, width, onActive, onOpen }: TileKeysOptions) => {
  const show = useCallback(
    (index: number): void => {
      const place = places[Math.max(0, Math.min(places.length - 1, index))]
      if (place === undefined) return
      onActive(place.tile.id)
      const element = scroller.current
      if (element === null) return
      const right = width - (place.x + place.width)
      const seenTo = -element.scrollLeft
      const seenFrom = seenTo + element.clientWidth
      const far = width - (place.gap?.x ?? place.x) + (index <= 0 ? BEGINNING_WIDTH : 0)
      if (right - MARGIN < seenTo) element.scrollLeft = -Math.max(0, right - MARGIN)
      else if (far + MARGIN > seenFrom) element.scrollLeft = -(far + MARGIN - element.clientWidth)
    },
    [places, scroller, width, onActive],
  )

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
    const element = scroller.current
    if (active === null && element?.querySelector('.tiles:focus-visible') != null) show(places.length - 1)
  }
  return { pressed, focused }
}
