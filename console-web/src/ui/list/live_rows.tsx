// A live list of rows of one height, newest first, in the scroll of the page. Only the rows near the window exist, and rows
// in view stay in place.
import { type ReactNode, useRef } from 'react'
import type { OlderPages } from '../../data/stream/live_list.ts'
import { OlderLine } from './older_line.tsx'
import { ROW_HEIGHT, useWindowRows } from './use_window_rows.ts'

type LiveRowsProps<T extends { readonly id: string }> = {
  readonly rows: readonly T[]
  /** For screen readers, such as "Deliveries, newest first". */
  readonly label: string
  readonly testId: string
  readonly older: OlderPages
  /** Keeps its identity between renders. */
  readonly onOlder: () => void
  /** The name of the rows, and what the last line says at the end of them, and where the page holds no more. */
  readonly words: { readonly rows: string; readonly end: string; readonly bounded: string }
  /** Attributes of a row's place, for tests and styles. */
  readonly marks?: (row: T) => Readonly<Record<`data-${string}`, string>>
  readonly children: (row: T) => ReactNode
}

export const LiveRows = <T extends { readonly id: string }>(props: LiveRowsProps<T>) => {
  const { rows, older, onOlder, marks, children } = props
  const box = useRef<HTMLOListElement>(null)
  const { items, top } = useWindowRows(rows, box, older, onOlder)
  return (
    <>
      <ol
        className="list far"
        ref={box}
        style={{ height: rows.length * ROW_HEIGHT }}
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
              {...marks?.(row)}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {children(row)}
            </li>
          )
        })}
      </ol>
      {rows.length > 0 && <OlderLine older={older} onOlder={onOlder} {...props.words} />}
    </>
  )
}
