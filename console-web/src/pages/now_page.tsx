// The first page: the newest beacon, the chain as a picture, and everything that happens.
import './pages.css'
import { lazy, useMemo } from 'react'
import { Link } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { useChain } from '../beacons/chain_context.ts'
import { learnInterval } from '../beacons/countdown.ts'
import { HeadPanel } from '../beacons/head_panel.tsx'
import { useConsole } from '../data/console_context.ts'
import { useDocument } from '../data/use_document.ts'
import { useStore } from '../data/use_store.ts'
import { SubmitHint } from '../items/submit_hint.tsx'
import { Monitor } from '../monitor/monitor.tsx'
import { OutsideLine } from '../outside/outside_line.tsx'
import { READY_PATH, readOutside } from '../outside/readiness.ts'
import { ChainPicture } from '../picture/chain_picture.tsx'
import type { Tile } from '../picture/tile.ts'
import { usePicture } from '../picture/use_picture.ts'
import { LazyPart } from '../ui/lazy_page.tsx'

const LogLine = lazy(async () => ({
  default: (await import('../log/log_line.tsx')).LogLine,
}))

export const NowPage = () => {
  const { clockOffset } = useConsole()
  const { feed } = useChain()
  const picture = usePicture()
  const state = useStore(feed.state)
  const { tiles } = useStore(picture.state).list
  const offset = useStore(clockOffset)
  const outside = useDocument(READY_PATH, { read: readOutside })
  const { rows } = state.list
  const head = rows[0] ?? null
  const interval = useMemo(() => learnInterval(state.intervalMs, rows), [state.intervalMs, rows])
  const chains = outside.kind === 'found' ? outside.value.chains : null
  const series = useMemo(
    () => (chains ?? []).flatMap(({ chain, network }) => (network === null ? [] : [{ chain, network }])),
    [chains],
  )
  return (
    <main className="now">
      <title>{head === null ? 'Pharos' : `${head.hash.slice(0, 8)} · Pharos`}</title>
      <div className="now-head">
        <HeadPanel
          head={head}
          height={heightOf(rows, tiles)}
          interval={interval}
          clockOffset={offset}
          isConnected={state.connection.phase === 'live'}
        />
        <nav className="now-doors" aria-label="What to do here">
          <Link to="/items/new" className="button primary">
            Timestamp a file
          </Link>
          <Link to="/verify" className="button">
            Verify a proof
          </Link>
          <Link to="/webhooks" className="button">
            Webhooks
          </Link>
        </nav>
      </div>
      <ChainPicture
        picture={picture}
        interval={state.intervalMs === null && outside.kind === 'loading' ? null : interval}
        series={series}
      />
      <div className="now-monitor">
        <Monitor />
      </div>
      <div className="now-foot">
        <OutsideLine />
        <div className="now-log">
          <LazyPart>
            <LogLine />
          </LazyPart>
        </div>
        <SubmitHint />
      </div>
    </main>
  )
}

/** The newest beacon may come a moment before its block. Its height then follows from the beacons before it. */
const heightOf = (rows: readonly Beacon[], tiles: readonly Tile[]): number | null => {
  for (const [index, row] of rows.slice(0, 8).entries()) {
    const tile = tiles.findLast(({ id }) => id === row.id)
    if (tile !== undefined) return tile.height + index
    if (row.previous_hash !== rows[index + 1]?.hash) return null
  }
  return null
}
