// How current the page is: one word in the bar, and what it means on hover; and a banner where somebody has to know more. Both
// follow the clock, because a chain turns stale without any event.
import { useChain } from '../chain/chain_context.ts'
import { deriveStatus, type Status } from '../connection/countdown.ts'
import { waitWords } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/store.ts'
import { useInterval } from '../outside/readiness.ts'
import { Button } from '../ui/button.tsx'
import { useNow, useServiceTime } from '../ui/use_now.ts'

export const LiveStatus = () => {
  const { connection } = useConsole()
  const state = useStore(useChain().feed.state)
  const { phase } = state.connection
  const head = state.list.rows[0]
  const headAt = head === undefined ? null : Date.parse(head.timestamp)
  // A service that comes back may have been told another interval.
  const { interval } = useInterval(String(useStore(connection.facts).breaks[0]?.from))
  const status = useServiceTime((now) => deriveStatus({ phase, headAt, intervalMs: interval.ms, now }))
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
  catching_up: ['busy', 'Connected; fetching the blocks made while this page was away.'],
  live: ['good', 'Connected; every new block appears here at once.'],
  stale: ['warn', 'Connected, but no block has come for more than two intervals.'],
  offline: ['bad', 'Not connected. The page keeps trying by itself.'],
}

export const Banner = () => {
  const { feed, retryNow } = useChain()
  const { connection, list, replaced } = useStore(feed.state)
  const slowedUntil = useStore(useConsole().slowedUntil)
  const now = useNow((now) => now)
  if (connection.phase === 'offline')
    return (
      <div className="banner" data-tone="bad" role="status" data-testid="banner">
        <span>
          {connection.why}{' '}
          {connection.retryAt === null || connection.retryAt <= now
            ? 'Trying again…'
            : `Trying again in ${Math.ceil((connection.retryAt - now) / 1_000)} s.`}
          {list.rows.length > 0 && ' The list goes on from the last block held.'}
        </span>
        <Button look="text" onClick={retryNow}>
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
          The chain was replaced: the ledger no longer has the block <code>{replaced.lost}</code> that was
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
