// The rows of the monitor, newest first. Only those near the view are rendered. Where a person has scrolled away from
// the head, new rows come in above without moving what is read.
import './monitor.css'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { CHAIN_REPLACED } from '../../../shared/wire/console_stream.ts'
import { Button } from '../ui/button.tsx'
import { count, utcDay } from '../ui/format.ts'
import { useKeys } from '../ui/over/use_keys.ts'
import { Time } from '../ui/time.tsx'
import type { MonitorFeed, MonitorState } from './monitor_feed.ts'
import { compareRows, isBurst, type MonitorRow, nameOfRow } from './monitor_row.ts'
import { MAX_ROWS } from './monitor_rows.ts'
import { burstKinds, rowWords } from './row_words.ts'

type RowListProps = {
  readonly feed: MonitorFeed
  readonly state: MonitorState
  /** Those of the state that are shown. */
  readonly rows: readonly MonitorRow[]
  /** Scrolls. The page scrolls it to the head when it shows new rows. */
  readonly box: RefObject<HTMLDivElement | null>
  /** The row in the panel. */
  readonly open: MonitorRow | null
  readonly onOpen: (row: MonitorRow) => void
  readonly onClose: () => boolean
}

/** Below this width a row has two lines. */
const NARROW_PX = 560
const ROW_HEIGHT = { wide: 34, narrow: 50 } as const

export const RowList = ({ feed, state, rows, box, open, onOpen, onClose }: RowListProps) => {
  const { held, filter, fresh } = state
  /** The row that the keys act on. It is the one in the panel while there is one, and stays when that is closed. */
  const [chosen, setChosen] = useState(open)
  if (open !== null && (chosen === null || compareRows(open, chosen) !== 0)) setChosen(open)
  const list = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const isNarrow = (box.current?.offsetWidth ?? NARROW_PX) < NARROW_PX
  const rowHeight = isNarrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (place) => keyOf(rows[place]),
    overscan: 6,
    // At the head new rows push the others down. Elsewhere what is read stays where it is.
    anchorTo: (box.current?.scrollTop ?? 0) < 1 ? 'start' : 'end',
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured had the other height
  useLayoutEffect(() => virtual.measure(), [rowHeight, virtual])

  const placeOf = (row: MonitorRow | null): number =>
    row === null ? -1 : rows.findIndex((one) => compareRows(one, row) === 0)
  const goTo = (wanted: number): void => {
    const place = Math.max(0, Math.min(rows.length - 1, wanted))
    const row = rows[place]
    if (row === undefined) return
    virtual.scrollToIndex(place)
    setChosen(row)
    if (open !== null) onOpen(row)
  }
  const here = placeOf(chosen)
  const active = rows[here]
  const step = (by: number) => (): void =>
    goTo(here === -1 ? (virtual.getVirtualItemForOffset(box.current?.scrollTop ?? 0)?.index ?? 0) : here + by)
  const toggle = (row: MonitorRow): void => {
    if (isBurst(row) && open !== null && compareRows(open, row) === 0) onClose()
    else onOpen(row)
  }
  const fitting = Math.max(1, Math.floor((box.current?.clientHeight ?? 0) / rowHeight))
  const actions: Readonly<Record<string, () => void>> = {
    ArrowDown: step(1),
    ArrowUp: step(-1),
    PageDown: step(fitting),
    PageUp: step(-fitting),
    Home: () => goTo(0),
    End: () => goTo(rows.length - 1),
    Enter: () => active !== undefined && toggle(active),
    ' ': () => (held === null ? feed.hold() : feed.release()),
  }
  const pressed = (event: KeyboardEvent): void => {
    const action = actions[event.key]
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    action()
    event.preventDefault()
  }
  const clicked = ({ target }: MouseEvent): void => {
    const element = target instanceof Element ? target.closest('[data-index]') : null
    const row = rows[Number(element?.getAttribute('data-index') ?? -1)]
    if (row === undefined) return
    setChosen(row)
    toggle(row)
  }
  const fromAnywhere = (by: number) => (): boolean => {
    list.current?.focus({ preventScroll: true })
    step(by)()
    return rows.length > 0
  }
  useKeys({ j: fromAnywhere(1), k: fromAnywhere(-1) })

  // A row that is opened stays in view when the panel takes room from the list.
  const opened = placeOf(open)
  const bringInView = useEffectEvent(() => opened !== -1 && virtual.scrollToIndex(opened))
  const openName = open && nameOfRow(open)
  useEffect(() => {
    if (openName !== null) bringInView()
  }, [openName])

  const today = utcDay(new Date().toISOString())
  const idOf = (row: MonitorRow): string => prefix + nameOfRow(row)
  const items = virtual.getVirtualItems()
  const isRendered = items.some(({ index }) => index === here)
  return (
    <div className="monitor-rows" ref={box} data-narrow={isNarrow}>
      {rows.length === 0 ? (
        <div className="monitor-empty stack">
          <p>{emptyWords(state)}</p>
          {filter.text !== '' && (
            <Button look="text" onClick={() => feed.narrow({ text: '' })}>
              Show all
            </Button>
          )}
        </div>
      ) : (
        <>
          <div
            ref={list}
            role="listbox"
            tabIndex={0}
            aria-label="Events, newest first"
            aria-activedescendant={isRendered && active !== undefined ? idOf(active) : undefined}
            data-testid="monitor-list"
            style={{ height: virtual.getTotalSize() }}
            onKeyDown={pressed}
            onClick={clicked}
          >
            {items.map(({ key, index, start }) => {
              const row = rows[index]
              if (row === undefined) return null
              return (
                // Placed by a transform, so that a row that comes above lays out nothing anew.
                <div
                  key={key}
                  ref={virtual.measureElement}
                  role="presentation"
                  className="monitor-place"
                  data-index={index}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <RowLine
                    row={row}
                    raw={filter.raw}
                    id={idOf(row)}
                    position={index + 1}
                    total={rows.length}
                    open={index === opened}
                    active={index === here}
                    fresh={fresh.has(nameOfRow(row))}
                    today={today}
                  />
                </div>
              )
            })}
          </div>
          <p className="monitor-end">{endWords(state)}</p>
        </>
      )}
    </div>
  )
}

const emptyWords = ({ rows, held, filter: { text } }: MonitorState): string => {
  const total = (held ?? rows).length
  if (total === 0) return 'Waiting for the first event…'
  return text === '' ? 'Waiting for the next event…' : `None of ${count(total)} rows fits this filter.`
}

const endWords = ({ rows, unread }: MonitorState): string => {
  const problem = [...unread.values()].find((why) => why !== null)
  if (rows.length === MAX_ROWS)
    return `This page keeps the newest ${count(MAX_ROWS)} rows; older ones stay in the ledger.`
  if (problem !== undefined) return `Some earlier events could not be read: ${problem}`
  return 'Earlier events are on the pages of the chain, the items and the webhooks.'
}

const keyOf = (row: MonitorRow | undefined): string => (row === undefined ? '' : nameOfRow(row))

type RowLineProps = {
  readonly row: MonitorRow
  readonly raw: boolean
  readonly id: string
  /** From 1. */
  readonly position: number
  readonly total: number
  readonly open: boolean
  /** The keys act on this row. */
  readonly active: boolean
  readonly fresh: boolean
  /** The day of UTC. Rows of another day name theirs. */
  readonly today: string
}

/** One row, on one line, or on two where there is little room. */
const RowLine = memo(({ row, raw, id, position, total, open, active, fresh, today }: RowLineProps) => {
  const { name, line, code } = rowWords(row)
  const time = new Date(row.at).toISOString()
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      className="monitor-row"
      aria-selected={open}
      aria-setsize={total}
      aria-posinset={position}
      data-testid="monitor-row"
      data-name={nameOfRow(row)}
      data-stream={row.stream}
      data-burst={isBurst(row)}
      data-alarm={row.kind === CHAIN_REPLACED}
      data-active={active}
      data-fresh={fresh}
    >
      <Time at={time}>
        {time.slice(11, 19)}
        {time.startsWith(today) ? <small>{time.slice(19, 23)}</small> : <i>{time.slice(5, 10)}</i>}
      </Time>
      <span className="monitor-name" data-raw={raw}>
        <span className="stream-mark" aria-hidden="true" />
        {raw ? row.kind : name}
      </span>
      <span className="monitor-line">{line}</span>
      {code !== null && (
        <code title={code}>
          <b>{code.slice(0, 8)}</b>
          {code.slice(8)}
        </code>
      )}
      {open &&
        isBurst(row) &&
        burstKinds(row.data).map(([kind, number]) => (
          <span key={kind} className="burst-line">
            <span>{kind}</span> <b>{count(number)}</b>
          </span>
        ))}
    </div>
  )
})
RowLine.displayName = 'RowLine'
