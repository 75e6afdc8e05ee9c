// One word for how current the page is, and what it means on hover. It follows the clock, because a chain turns stale
// without any event.
import './connection.css'
import { waitWords } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/store.ts'
import { Button } from '../ui/button.tsx'
import { useNow } from '../ui/use_now.ts'
import type { Connection } from './beacon_stream.ts'
import { deriveStatus, type Status } from './countdown.ts'

type LiveStatusProps = {
  readonly phase: Connection['phase']
  /** Time of the newest beacon in the list. Null before the first. */
  readonly headTime: string | null
  readonly intervalMs: number
}

export const LiveStatus = ({ phase, headTime, intervalMs }: LiveStatusProps) => {
  const clockOffset = useStore(useConsole().clockOffset)
  const headAt = headTime === null ? null : Date.parse(headTime)
  const status = useNow((now) => deriveStatus({ phase, headAt, intervalMs, now: now + clockOffset }))
  const [tone, meaning] = STATUSES[status]
  return (
    <span className="pill" data-testid="status" data-tone={tone} title={meaning} role="status">
      <span className="lamp" data-tone={status === 'offline' ? undefined : tone} aria-hidden="true" />
      {status.replace('_', ' ')}
    </span>
  )
}

/** The colour of each, and what it means. */
const STATUSES: Readonly<Record<Status, readonly [tone: string | undefined, meaning: string]>> = {
  connecting: [undefined, 'Making the first connection to the service.'],
  catching_up: ['busy', 'Connected; fetching the beacons finalized while this page was away.'],
  live: ['good', 'Connected; every new beacon appears here at once.'],
  stale: ['warn', 'Connected, but no beacon has come for more than two intervals.'],
  offline: ['bad', 'Not connected. The page keeps trying by itself.'],
}

type BannerProps = {
  readonly connection: Connection
  /** The list goes on from the last beacon held. */
  readonly hasRows: boolean
  /** Ids: the newest beacon that is gone, and the one where the new chain continues. */
  readonly replaced: { readonly lost: string; readonly head: string | null } | null
  readonly slowedUntil: number
  readonly onRetry: () => void
}

export const Banner = ({ connection, hasRows, replaced, slowedUntil, onRetry }: BannerProps) => {
  const now = useNow()
  if (connection.phase === 'offline')
    return (
      <div className="banner" data-tone="bad" role="status" data-testid="banner">
        <span>
          {connection.why}{' '}
          {connection.retryAt === null || connection.retryAt <= now
            ? 'Trying again…'
            : `Trying again in ${Math.ceil((connection.retryAt - now) / 1_000)} s.`}
          {hasRows && ' The list goes on from the last beacon held.'}
        </span>
        <Button look="text" onClick={onRetry}>
          Try now
        </Button>
      </div>
    )
  if (slowedUntil > now)
    return (
      <div className="banner" data-tone="warn" role="status" data-testid="banner">
        {waitWords(slowedUntil - now)}
      </div>
    )
  if (replaced !== null)
    return (
      <div className="banner" data-tone="warn" role="alert" data-testid="banner">
        <span>
          The chain was replaced: the ledger no longer has the beacon <code>{replaced.lost}</code> that was
          shown here. The list has started again{' '}
          {replaced.head !== null && (
            <>
              from <code>{replaced.head}</code>
            </>
          )}
          , and nothing links the two.
        </span>
      </div>
    )
  return null
}
