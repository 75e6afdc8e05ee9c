// One word for how current the page is, and what it means on hover.
import './beacons.css'
import type { Status } from './status.ts'

const meanings: Readonly<Record<Status, string>> = {
  connecting: 'Making the first connection to the service.',
  'catching up': 'Connected; fetching the beacons finalized while this page was away.',
  live: 'Connected; every new beacon appears here at once.',
  stale: 'Connected, but no beacon has come for more than two intervals.',
  offline: 'Not connected. The page keeps trying by itself.',
}

export const StatusPill = ({ status }: { status: Status }) => (
  <span
    className="status-pill"
    data-testid="status"
    data-status={status}
    title={meanings[status]}
    role="status"
  >
    <span className="status-lamp" aria-hidden="true" />
    {status}
  </span>
)
