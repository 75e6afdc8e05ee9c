// The head of the chain's page: its name, its search, what can be done with the chain, and the range of time that is shown.
import { Link } from 'wouter'
import { searchFor } from '../data/search_for.ts'
import { Button } from '../ui/button.tsx'
import { rangeOf, rangeWords, type TimeRange } from './time_range.ts'

type ChainTopProps = {
  /** Hash of the beacon that a draw begins with. Null while none is known. */
  readonly drawFrom: string | null
  readonly plots: boolean
  readonly onPlots: () => void
  readonly onWalk: () => void
}

export const ChainTop = ({ drawFrom, plots, onPlots, onWalk }: ChainTopProps) => (
  <div className="chain-top spread">
    <h1>Chain</h1>
    <SearchField />
    <div className="acts">
      <Button aria-pressed={plots} onClick={onPlots}>
        Plots
      </Button>
      <Button data-testid="walk-start" onClick={onWalk}>
        Walk to genesis
      </Button>
      {drawFrom !== null && (
        <Link to={`/beacons/${drawFrom}/draw`} className="button">
          Draw winners
        </Link>
      )}
    </div>
  </div>
)

/** Opens the search of the console, which leads to blocks and to ranges of time. */
const SearchField = () => (
  <search className="chain-search">
    <form
      onSubmit={(event) => {
        event.preventDefault()
        searchFor.write(String(new FormData(event.currentTarget).get('text')))
      }}
    >
      <input
        type="search"
        name="text"
        aria-label="Find a block by height, hash, id or time"
        placeholder="Height, hash, id or time"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        data-testid="chain-search"
      />
      <Button type="submit">Find</Button>
    </form>
  </search>
)

type RangeBarProps = {
  readonly range: TimeRange
  readonly onRange: (range: TimeRange | null) => void
}

export const RangeBar = ({ range, onRange }: RangeBarProps) => (
  <div className="filters range-bar" data-testid="range-bar">
    <p>
      Blocks of <strong>{rangeWords(range)}</strong>
    </p>
    <RangeField label="From" time={range.from} onTime={(ms) => onRange(rangeOf(ms, Date.parse(range.to)))} />
    <RangeField label="To" time={range.to} onTime={(ms) => onRange(rangeOf(Date.parse(range.from), ms))} />
    <Button data-testid="live" onClick={() => onRange(null)}>
      Back to live
    </Button>
  </div>
)

type RangeFieldProps = {
  readonly label: string
  readonly time: string
  readonly onTime: (ms: number) => void
}

/** The field of the browser knows no offset, so what stands in it is read as UTC. */
const RangeField = ({ label, time, onTime }: RangeFieldProps) => (
  <label>
    {label}, UTC
    <input
      key={time}
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
