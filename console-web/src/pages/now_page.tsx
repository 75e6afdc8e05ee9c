// The first page: the newest beacon, what forms, and everything that happens.
import './pages.css'
import { lazy, useMemo } from 'react'
import { useChain } from '../beacons/chain_context.ts'
import { learnInterval } from '../beacons/countdown.ts'
import { HeadPanel } from '../beacons/head_panel.tsx'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { SubmitHint } from '../items/submit_hint.tsx'
import { OutsideWorld } from '../outside/outside_world.tsx'
import { LazyPart } from '../ui/lazy_page.tsx'

const LogLine = lazy(async () => ({
  default: (await import('../log/log_line.tsx')).LogLine,
}))

export const NowPage = () => {
  const { clockOffset } = useConsole()
  const { feed, prover } = useChain()
  const state = useStore(feed.state)
  const proofs = useStore(prover.proofs)
  const offset = useStore(clockOffset)
  const { rows } = state.list
  const head = rows[0] ?? null
  const interval = useMemo(() => learnInterval(state.intervalMs, rows), [state.intervalMs, rows])
  return (
    <main className="beacons">
      <title>{head === null ? 'Pharos' : `${head.hash.slice(0, 8)} · Pharos`}</title>
      <div className="instrument">
        <HeadPanel
          head={head}
          height={head === null ? null : (proofs.get(head.id)?.block?.height ?? null)}
          interval={interval}
          clockOffset={offset}
          connected={state.connection.phase === 'live'}
        />
        <SubmitHint />
        <OutsideWorld />
        <LazyPart>
          <LogLine />
        </LazyPart>
      </div>
    </main>
  )
}
