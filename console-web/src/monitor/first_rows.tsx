// The newest rows of the monitor, until the list that renders only what is near the view is here: its code is as much as
// that of everything else that the first row waits for.
import './monitor.css'
import type { MouseEvent } from 'react'
import { utcDay } from '../ui/format.ts'
import { compareRows, nameOfRow } from './monitor_row.ts'
import { RowLine } from './row_line.tsx'
import type { RowListProps } from './row_list.tsx'

/** More than a screen shows. */
const MOST = 30

export const FirstRows = ({ rows, raw, box, fresh, open, onActive, onOpen, empty, end }: RowListProps) => {
  const clicked = ({ target }: MouseEvent): void => {
    const element = target instanceof Element ? target.closest('[aria-posinset]') : null
    const row = rows[Number(element?.getAttribute('aria-posinset') ?? 0) - 1]
    if (row === undefined) return
    onActive(row)
    onOpen(row)
  }
  const today = utcDay(new Date().toISOString())
  if (rows.length === 0)
    return (
      <div className="monitor-rows" ref={box}>
        <div className="monitor-empty">{empty}</div>
      </div>
    )
  return (
    <div className="monitor-rows" ref={box}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keys come with the whole list */}
      <div role="listbox" tabIndex={0} aria-label="Events, newest first" onClick={clicked}>
        {rows.slice(0, MOST).map((row, index) => (
          <RowLine
            key={nameOfRow(row)}
            row={row}
            raw={raw}
            id={nameOfRow(row)}
            position={index + 1}
            total={rows.length}
            open={open !== null && compareRows(open, row) === 0}
            active={false}
            fresh={fresh.has(nameOfRow(row))}
            today={today}
          />
        ))}
      </div>
      <p className="monitor-end">{end}</p>
    </div>
  )
}
