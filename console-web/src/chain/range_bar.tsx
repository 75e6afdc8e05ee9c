// The range of time that the table shows, and its two times as fields.
import './chain.css'
import { useId } from 'react'
import type { TimeRange } from './block_range.ts'
import { rangeOf, rangeWords } from './time_range.ts'

type RangeBarProps = {
  readonly range: TimeRange
  readonly onRange: (range: TimeRange | null) => void
}

export const RangeBar = ({ range, onRange }: RangeBarProps) => (
  <div className="range-bar" data-testid="range-bar">
    <p>
      Blocks of <strong>{rangeWords(range)}</strong>
    </p>
    <RangeField label="From" time={range.from} onTime={(ms) => onRange(rangeOf(ms, Date.parse(range.to)))} />
    <RangeField label="To" time={range.to} onTime={(ms) => onRange(rangeOf(Date.parse(range.from), ms))} />
    <button type="button" className="button" data-testid="live" onClick={() => onRange(null)}>
      Back to live
    </button>
  </div>
)

type RangeFieldProps = {
  readonly label: string
  readonly time: string
  readonly onTime: (ms: number) => void
}

/** The field of the browser knows no offset, so what stands in it is read as UTC. */
const RangeField = ({ label, time, onTime }: RangeFieldProps) => {
  const id = useId()
  return (
    <label htmlFor={id}>
      {label}, UTC
      <input
        key={time}
        id={id}
        type="datetime-local"
        step={1}
        defaultValue={time.slice(0, 19)}
        onBlur={(event) => {
          const ms = Date.parse(`${event.target.value}Z`)
          if (!Number.isNaN(ms) && event.target.value !== time.slice(0, 19)) onTime(ms)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
      />
    </label>
  )
}
