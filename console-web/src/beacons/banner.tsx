// Messages below the top bar: not connected, slowed down, the chain was replaced.
import './beacons.css'

import { useNow } from '../ui/use_now.ts'
import type { FeedState } from './beacon_feed.ts'

type BannerProps = {
  readonly state: FeedState
  readonly slowedUntil: number
  readonly onRetry: () => void
}

export const Banner = ({ state, slowedUntil, onRetry }: BannerProps) => {
  const now = useNow()
  const { connection, replaced } = state
  if (connection.phase === 'offline')
    return (
      <div className="banner offline" role="status" data-testid="banner">
        <span>
          {connection.why}{' '}
          {connection.retryAt === null || connection.retryAt <= now
            ? 'Trying again…'
            : `Trying again in ${Math.ceil((connection.retryAt - now) / 1_000)} s.`}
          {state.list.rows.length > 0 && ' The list goes on from the last beacon held.'}
        </span>
        <button type="button" className="text-button" onClick={onRetry}>
          Try now
        </button>
      </div>
    )
  if (slowedUntil > now)
    return (
      <div className="banner slow" role="status" data-testid="banner">
        The service asked this page to slow down; it goes on in {Math.ceil((slowedUntil - now) / 1_000)} s.
      </div>
    )
  if (replaced !== null)
    return (
      <div className="banner anew" role="alert" data-testid="banner">
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
