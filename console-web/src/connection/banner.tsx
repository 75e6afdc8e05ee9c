// Messages below the top bar: not connected, slowed down, the chain was replaced.
import './connection.css'
import { waitWords } from '../data/api_failure.ts'
import { useNow } from '../ui/use_now.ts'
import type { Connection } from './beacon_stream.ts'

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
        <button type="button" className="text-button" onClick={onRetry}>
          Try now
        </button>
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
