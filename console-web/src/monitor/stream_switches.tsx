// A switch for each stream. A stream that is switched off is not subscribed to, and its rows are hidden.
import './monitor.css'
import { type StreamName, streams } from '../../../shared/wire/console_stream.ts'
import { STREAM_NAMES } from './monitor_row.ts'

type StreamSwitchesProps = {
  readonly off: ReadonlySet<StreamName>
  readonly onSwitch: (off: ReadonlySet<StreamName>) => void
}

/** The stream's own title, but short enough for six in a line. */
const titleOf = (stream: StreamName): string =>
  stream === 'webhook_deliveries' ? 'Deliveries' : streams[stream].title

export const StreamSwitches = ({ off, onSwitch }: StreamSwitchesProps) => {
  const toggle = (stream: StreamName): void => {
    const next = new Set(off)
    if (!next.delete(stream)) next.add(stream)
    onSwitch(next)
  }
  return (
    <ul className="stream-switches" aria-label="Streams">
      {STREAM_NAMES.map((stream) => (
        <li key={stream}>
          <button
            type="button"
            role="switch"
            className="stream-switch"
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
    </ul>
  )
}
