// One word for how current the page is, and what it means on hover. It follows the clock, because a chain turns stale
// without any event.
import './connection.css'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { useNow } from '../ui/use_now.ts'
import { deriveStatus, type Phase, type Status } from './countdown.ts'

type LiveStatusProps = {
  readonly phase: Phase
  /** Time of the newest beacon in the list. Null before the first. */
  readonly headTime: string | null
  readonly intervalMs: number
}

export const LiveStatus = ({ phase, headTime, intervalMs }: LiveStatusProps) => {
  const now = useNow() + useStore(useConsole().clockOffset)
  const status = deriveStatus({
    phase,
    headAt: headTime === null ? null : Date.parse(headTime),
    intervalMs,
    now,
  })
  return (
    <span
      className="pill"
      data-testid="status"
      data-tone={TONES[status]}
      title={meanings[status]}
      role="status"
    >
      <span
        className="lamp"
        data-tone={status === 'offline' ? undefined : TONES[status]}
        aria-hidden="true"
      />
      {status}
    </span>
  )
}

const TONES: Readonly<Record<Status, string | undefined>> = {
  connecting: undefined,
  'catching up': 'busy',
  live: 'good',
  stale: 'warn',
  offline: 'bad',
}

const meanings: Readonly<Record<Status, string>> = {
  connecting: 'Making the first connection to the service.',
  'catching up': 'Connected; fetching the beacons finalized while this page was away.',
  live: 'Connected; every new beacon appears here at once.',
  stale: 'Connected, but no beacon has come for more than two intervals.',
  offline: 'Not connected. The page keeps trying by itself.',
}
