// The rows of the monitor, newest first. Only those near the view are rendered. Where a person has scrolled away from
// the head, new rows come in above without moving what is read.
import './monitor.css'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { utcDay } from '../ui/format_time.ts'
import { useKeys } from '../ui/use_keys.ts'
import { compareRows, isBurst, type MonitorRow } from './monitor_row.ts'
import { RowLine } from './row_line.tsx'
import type { RowLog } from './row_log.ts'
import { linesOf, slotsOf } from './row_slots.ts'
import { useRowWindow } from './use_row_window.ts'

export type RowListProps = {
  readonly rows: RowLog
  /** Scrolls. The page scrolls it to the head when it shows new rows. */
  readonly box: RefObject<HTMLDivElement | null>
  readonly fresh: ReadonlySet<MonitorRow>
  /** The row in the panel. */
  readonly open: MonitorRow | null
  /** The row that the keys act on. */
  readonly active: MonitorRow | null
  readonly onActive: (row: MonitorRow) => void
  readonly onOpen: (row: MonitorRow) => void
  readonly onClose: () => boolean
  readonly onTogglePause: () => void
  readonly seen: (oldest: MonitorRow | null) => void
  /** Shown in place of rows, and below the last row. */
  readonly empty: ReactNode
  readonly end: string
}

export const RowList = (props: RowListProps) => {
  const { rows, box, fresh, open, active, onActive, onOpen, onClose, onTogglePause, seen, empty, end } = props
  const list = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const slots = useMemo(() => slotsOf(rows, open), [rows, open])
  const shown = useRowWindow(slots, box, seen)

  const goTo = (place: number): void => {
    const row = rows.at(Math.max(0, Math.min(rows.size - 1, place)))
    if (row === undefined) return
    shown.reveal(slots.placeOf(row))
    onActive(row)
  }
  const present = active ?? open
  const here = present === null ? -1 : rows.placeOf(present)
  const step = (by: number) => (): void => {
    const first = slots.at(Math.ceil((box.current?.scrollTop ?? 0) / shown.rowHeight))
    goTo(here !== -1 ? here + by : first === undefined ? 0 : rows.placeOf(first))
  }
  const toggle = useCallback(
    (row: MonitorRow): void => {
      if (isBurst(row) && open !== null && compareRows(open, row) === 0) onClose()
      else onOpen(row)
    },
    [open, onOpen, onClose],
  )
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: step(1),
    j: step(1),
    ArrowUp: step(-1),
    k: step(-1),
    PageDown: step(shown.fitting),
    PageUp: step(-shown.fitting),
    Home: () => goTo(0),
    End: () => goTo(rows.size - 1),
    Enter: () => present !== null && toggle(present),
    ' ': onTogglePause,
  }
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const action = actions[event.key]
    if (action === undefined && !(event.key === 'Escape' && onClose())) return
    action?.()
    event.preventDefault()
    // The page has actions for some of these keys, too.
    event.stopPropagation()
  }
  const clicked = useCallback(
    ({ target }: MouseEvent): void => {
      const element = target instanceof Element ? target.closest('[data-place]') : null
      const row = slots.at(Number(element?.getAttribute('data-place') ?? -1))
      if (row === undefined) return
      onActive(row)
      toggle(row)
    },
    [slots, onActive, toggle],
  )

  const fromOutside = (by: number) => (): boolean => {
    list.current?.focus({ preventScroll: true })
    if (list.current !== null) step(by)()
    return list.current !== null
  }
  useKeys({ j: fromOutside(1), k: fromOutside(-1) })

  // A row that is opened stays in view when the panel takes room from the list.
  const { reveal } = shown
  const opened = open === null ? -1 : rows.placeOf(open)
  const place = useRef(opened)
  place.current = opened
  const isOpen = opened !== -1
  const lines = open === null ? 0 : linesOf(open)
  useLayoutEffect(() => {
    if (!isOpen || rows.at(place.current) === undefined) return
    reveal(place.current + lines)
    reveal(place.current)
  }, [isOpen, lines, rows, reveal])

  const today = utcDay(new Date().toISOString())
  const visible = new Set<MonitorRow>()
  for (let slot = shown.first; slot < shown.end; slot += 1) {
    const row = slots.at(slot)
    if (row !== undefined) visible.add(row)
  }
  const idOf = (row: MonitorRow): string => `${prefix}${row.kind}${row.id}${row.at}`
  const presentRow = rows.at(here)
  const isRendered = present !== null && presentRow !== undefined && visible.has(presentRow)

  return (
    <div className="monitor-rows" ref={box} data-narrow={shown.isNarrow} onScroll={shown.scrolled}>
      {rows.size === 0 ? (
        <div className="monitor-empty">{empty}</div>
      ) : (
        <>
          <div
            ref={list}
            role="listbox"
            tabIndex={0}
            aria-label="Events, newest first"
            aria-activedescendant={isRendered ? idOf(present) : undefined}
            data-testid="monitor-list"
            style={{ height: slots.size * shown.rowHeight }}
            onKeyDown={pressed}
            onClick={clicked}
          >
            <div role="presentation">
              {[...visible].map((row) => (
                // Placed by a transform, so that a row that comes above lays out nothing anew.
                <div
                  key={idOf(row)}
                  role="presentation"
                  className="monitor-place"
                  data-place={slots.placeOf(row)}
                  style={{ transform: `translateY(${slots.placeOf(row) * shown.rowHeight}px)` }}
                >
                  <RowLine
                    row={row}
                    id={idOf(row)}
                    position={rows.placeOf(row) + 1}
                    total={rows.size}
                    open={open !== null && compareRows(open, row) === 0}
                    active={present !== null && compareRows(present, row) === 0}
                    fresh={fresh.has(row)}
                    today={today}
                  />
                </div>
              ))}
            </div>
          </div>
          <p className="monitor-end">{end}</p>
        </>
      )}
    </div>
  )
}
