// One row of the monitor: when, what, a line about it, and the hash or id to know it by.
import './monitor.css'
import { memo } from 'react'
import { CHAIN_REPLACED } from '../../../shared/wire/console_stream.ts'
import { count } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { isBurst, type MonitorRow, nameOfRow } from './monitor_row.ts'
import { burstKinds, rowWords } from './row_words.ts'

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
export const RowLine = memo(({ row, raw, id, position, total, open, active, fresh, today }: RowLineProps) => {
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
