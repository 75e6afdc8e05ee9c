// What is above the rows: which streams, blocks or every event, which text, and the pause.
import { useMemo } from 'react'
import { type StreamName, streams } from '../../../shared/wire/console_stream.ts'
import { STREAM_NAMES } from '../data/stream/live_events.ts'
import { IconButton } from '../ui/button.tsx'
import { FilterText } from '../ui/form/filter_fields.tsx'
import { utcClock } from '../ui/format.ts'
import { PauseControls } from '../ui/list/pause_controls.tsx'
import { saveFile } from '../ui/save_file.ts'
import type { MonitorFeed, MonitorState } from './monitor_feed.ts'
import { type MonitorRow, nameOfRow } from './monitor_row.ts'
import { keepOff, type RowFilter, shownRows } from './monitor_rows.ts'
import { rowsJson } from './row_words.ts'

type MonitorBarProps = {
  readonly feed: MonitorFeed
  readonly state: MonitorState
  /** Those that are shown, for a file. */
  readonly rows: readonly MonitorRow[]
  /** Brings the head of the list into view. */
  readonly toTop: () => void
}

export const MonitorBar = ({ feed, state, rows, toTop }: MonitorBarProps) => {
  const { filter, held, offlineSince } = state
  const waiting = useMemo(() => waitingIn(state, rows), [state, rows])
  return (
    <header className="monitor-bar line">
      <h2 id="monitor-title">Monitor</h2>
      <StreamSwitches feed={feed} filter={filter} />
      <div className="monitor-tools">
        {offlineSince !== null && (
          <span className="monitor-offline">offline since {utcClock(offlineSince)}</span>
        )}
        <FilterText
          isHinted
          label="Text in any field"
          hint="event, id, hash, tag"
          value={filter.text}
          testId="monitor-text"
          onChange={(text) => feed.narrow({ text })}
        />
        <IconButton
          icon="save"
          label="Save the rows as JSON"
          onClick={() => saveFile(new File([rowsJson(rows)], 'pharos-events.json'))}
        />
        <PauseControls list={feed} isHeld={held !== null} unseen={waiting} toTop={toTop} />
      </div>
    </header>
  )
}

/** How many rows would come on screen now. */
const waitingIn = ({ rows, held, filter }: MonitorState, shown: readonly MonitorRow[]): number => {
  if (held === null || held === rows) return 0
  const known = new Set(shown.map(nameOfRow))
  return shownRows(rows, filter).filter((row) => !known.has(nameOfRow(row))).length
}

/** The stream's own title, but short enough for six in a line. */
const titleOf = (stream: StreamName): string =>
  stream === 'webhook_deliveries' ? 'Deliveries' : streams[stream].title

type StreamSwitchesProps = { readonly feed: MonitorFeed; readonly filter: RowFilter }

/** A stream that is switched off is not subscribed to, and its rows are hidden. Beacons are rows among raw events only. */
const StreamSwitches = ({ feed, filter: { off, raw } }: StreamSwitchesProps) => {
  const toggle = (stream: StreamName): void => {
    const next = new Set(off)
    if (!next.delete(stream)) next.add(stream)
    keepOff(next)
    feed.narrow({ off: next })
  }
  return (
    <ul className="stream-switches" aria-label="Streams">
      {STREAM_NAMES.filter((stream) => raw || stream !== 'beacons').map((stream) => (
        <li key={stream}>
          <button
            type="button"
            role="switch"
            className="chip stream-switch"
            data-stream={stream}
            data-testid={`stream-${stream}`}
            aria-checked={!off.has(stream)}
            onClick={() => toggle(stream)}
          >
            <span className="stream-mark" aria-hidden="true" />
            {titleOf(stream)}
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          role="switch"
          className="chip stream-switch raw-switch"
          data-testid="monitor-raw"
          aria-checked={raw}
          onClick={() => feed.narrow({ raw: !raw })}
        >
          Raw events
        </button>
      </li>
    </ul>
  )
}
