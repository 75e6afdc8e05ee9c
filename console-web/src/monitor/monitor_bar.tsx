// What is above the rows: which streams, which events, which text, and the pause.
import './monitor.css'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { streams } from '../../../shared/wire/console_stream.ts'
import { count } from '../ui/format_count.ts'
import { utcClock } from '../ui/format_time.ts'
import { IconButton } from '../ui/icon_button.tsx'
import { PauseControls } from '../ui/pause_controls.tsx'
import { saveFile } from '../ui/save_file.ts'
import { keepOff } from './chosen_streams.ts'
import type { MonitorFeed, MonitorState } from './monitor_feed.ts'
import { STREAM_NAMES } from './monitor_row.ts'
import { LONGEST_FILTER_TEXT, type RowFilter, switched } from './row_filter.ts'
import { MOST_EXPORTED, rowsJson } from './row_json.ts'
import { StreamSwitches } from './stream_switches.tsx'

type MonitorBarProps = {
  readonly feed: MonitorFeed
  readonly state: MonitorState
  readonly onTogglePause: () => void
  readonly onShowNew: () => void
}

/** A search begins when the person has stopped typing for this long. */
const TYPING_MS = 180

export const MonitorBar = ({ feed, state, onTogglePause, onShowNew }: MonitorBarProps) => {
  const { filter, paused, waiting, offlineSince } = state
  const narrow = (part: Partial<RowFilter>): void => feed.setFilter({ ...feed.state.read().filter, ...part })
  const save = (): void => {
    const rows = feed.rows.rows.newest(MOST_EXPORTED)
    saveFile({ name: 'pharos-events.json', bytes: rowsJson(rows) })
  }
  return (
    <header className="monitor-bar">
      <h2 id="monitor-title">Monitor</h2>
      <StreamSwitches
        off={filter.off}
        onSwitch={(off) => {
          keepOff(off)
          feed.setFilter(switched(feed.state.read().filter, off))
        }}
      />
      <div className="monitor-tools">
        <select
          aria-label="Events"
          data-testid="monitor-kind"
          value={filter.kind ?? ''}
          onChange={({ target }) => narrow({ kind: target.value === '' ? null : target.value })}
        >
          <option value="">all events</option>
          {STREAM_NAMES.filter((name) => !filter.off.has(name)).map((name) => (
            <optgroup key={name} label={streams[name].title}>
              {kindsOf(name).map((kind) => (
                <option key={kind} value={kind}>
                  {kind}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
        <TextFilter text={filter.text} onText={(text) => narrow({ text })} />
        {offlineSince !== null && (
          <span className="monitor-offline">
            offline since {utcClock(new Date(offlineSince).toISOString())}
          </span>
        )}
        <IconButton
          icon="save"
          label={`Save the rows as JSON, at most ${count(MOST_EXPORTED)}`}
          data-testid="monitor-save"
          onClick={save}
        />
        <PauseControls paused={paused} unseen={waiting} onToggle={onTogglePause} onShowNew={onShowNew} />
      </div>
    </header>
  )
}

const kindsOf = (name: (typeof STREAM_NAMES)[number]): readonly string[] =>
  name === 'beacons' ? streams[name].events : [...streams[name].events, `${name}.burst`]

const TextFilter = ({ text, onText }: { text: string; onText: (text: string) => void }) => {
  const [typed, setTyped] = useState(text)
  const [given, setGiven] = useState(text)
  // The filter was changed elsewhere.
  if (given !== text) {
    setGiven(text)
    if (typed.trim().toLowerCase() !== text) setTyped(text)
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const changed = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    setTyped(target.value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onText(target.value.trim().toLowerCase()), TYPING_MS)
  }
  return (
    <input
      type="search"
      className="monitor-text"
      data-testid="monitor-text"
      aria-label="Text in any field"
      placeholder="id, hash, any field"
      maxLength={LONGEST_FILTER_TEXT}
      spellCheck={false}
      autoComplete="off"
      value={typed}
      onChange={changed}
    />
  )
}
