// A live list of rows of one height, newest first, in the scroll of the page, and the line above it. Only the rows near the
// window exist, and rows in view stay in place.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Row } from '../../data/newest_first.ts'
import type { ListState } from '../../data/stream/list_rules.ts'
import type { OlderPages } from '../../data/stream/older_pages.ts'
import { Button } from '../button.tsx'
import { count } from '../format.ts'

const ROW_HEIGHT = 56
/** The next page is asked for while fewer than this many rows are below the window. */
const AHEAD = 12

type LiveRowsProps<T extends Row> = {
  readonly rows: readonly T[]
  /** For screen readers, such as "Deliveries, newest first". */
  readonly label: string
  readonly className?: string
  /** Pixels, as the style of the list has it. */
  readonly rowHeight?: number
  readonly testId?: string
  readonly box?: RefObject<HTMLOListElement | null>
  readonly older: OlderPages
  /** Keeps its identity between renders. */
  readonly onOlder: () => void
  /** The name of the rows, and what the last line says at the end of them, and where the page holds no more. */
  readonly words: { readonly rows: string; readonly end: string; readonly bounded: ReactNode }
  /** Attributes of a row's place, for tests and styles. */
  readonly marks?: (row: T, index: number) => Readonly<Record<`data-${string}`, string>>
  readonly children: (row: T, index: number) => ReactNode
}

export const LiveRows = <T extends Row>(props: LiveRowsProps<T>) => {
  const { rows, className = 'list', rowHeight = ROW_HEIGHT, older, onOlder, marks, children } = props
  const own = useRef<HTMLOListElement>(null)
  const box = props.box ?? own
  const top = useTop(box)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
    useFlushSync: false,
  })
  useHoldPlace(rows, top, rowHeight)
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (older.kind === 'idle' && rows.length > 0 && last >= rows.length - AHEAD) onOlder()
  }, [older.kind, rows.length, last, onOlder])
  return (
    <>
      <ol
        className={`far ${className}`}
        ref={box}
        style={{ height: rows.length * rowHeight }}
        aria-label={props.label}
      >
        {items.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={row.id}
              data-testid={props.testId}
              data-id={row.id}
              {...marks?.(row, index)}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {children(row, index)}
            </li>
          )
        })}
      </ol>
      {rows.length > 0 && <OlderLine older={older} onOlder={onOlder} words={props.words} />}
    </>
  )
}

type OlderLineProps = Pick<LiveRowsProps<Row>, 'older' | 'onOlder' | 'words'>

/** The line below the last row: load more, the beginning of the list, or why it ends here. */
const OlderLine = ({ older, onOlder, words }: OlderLineProps) => (
  <p className="older-line" data-kind={older.kind}>
    {older.kind === 'end' ? (
      words.end
    ) : older.kind === 'bounded' ? (
      words.bounded
    ) : older.kind === 'failed' ? (
      <>
        {`Older ${words.rows} could not be loaded: ${older.why} `}
        <Button look="text" onClick={onOlder}>
          Try again
        </Button>
      </>
    ) : (
      `Loading older ${words.rows}…`
    )}
  </p>
)

/** Where the list begins in the document. It changes when content above the list grows. */
const useTop = (box: RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      if (box.current !== null) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [box])
  return top
}

/**
 * New rows above the window push everything down, so this scrolls by the same distance and the same rows stay
 * in view.
 */
const useHoldPlace = (rows: readonly Row[], top: number, rowHeight: number): void => {
  const newest = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = newest.current
    newest.current = rows[0]?.id
    if (before === undefined || before === newest.current || window.scrollY <= top) return
    const added = rows.findIndex((row) => row.id === before)
    if (added > 0) window.scrollBy({ top: added * rowHeight, behavior: 'instant' })
  }, [rows, top, rowHeight])
}

type LiveLineProps = {
  readonly state: Pick<ListState<Row>, 'first' | 'live' | 'older'>
  readonly shown: number
  /** Such as "deliveries". */
  readonly rows: string
  /** Said while it is connected. */
  readonly words?: string
  readonly line?: RefObject<HTMLParagraphElement | null>
}

/** The count changes often, so a screen reader announces only the connection. */
export const LiveLine = ({ state, shown, rows, words = 'Live.', line }: LiveLineProps) => {
  const { first, live, older } = state
  return (
    <p className="live-line" data-live={live} data-testid="live-line" ref={line} tabIndex={-1}>
      <span className="lamp" data-tone={live ? 'good' : undefined} aria-hidden="true" />
      <span>
        <span role="status">
          {first.kind === 'loading'
            ? `Reading the ${rows}…`
            : first.kind === 'failed'
              ? 'Not read.'
              : live
                ? words
                : 'Not connected. What happens meanwhile is read as soon as the connection is back.'}
        </span>{' '}
        {first.kind === 'read' &&
          shown > 0 &&
          `${count(shown)}${older.kind === 'end' ? '' : ' or more'} here.`}
      </span>
    </p>
  )
}
