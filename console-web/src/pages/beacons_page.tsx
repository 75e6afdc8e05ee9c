// The first page: the head beacon, the live chain beside it, and a drawer when the address names a beacon.
import { lazy, useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { Announcer } from '../beacons/announcer.tsx'
import { Banner } from '../beacons/banner.tsx'
import { BeaconDrawer } from '../beacons/beacon_drawer.tsx'
import { chainProof, newerThan } from '../beacons/beacon_list.ts'
import { rowId } from '../beacons/beacon_row.tsx'
import { BeaconRows } from '../beacons/beacon_rows.tsx'
import { useChain } from '../beacons/chain_context.ts'
import { ChainProofLine } from '../beacons/chain_proof_line.tsx'
import { learnInterval } from '../beacons/countdown.ts'
import { HeadPanel } from '../beacons/head_panel.tsx'
import { LiveStatus } from '../beacons/live_status.tsx'
import { useBeaconKeys } from '../beacons/use_beacon_keys.ts'
import { cameFrom } from '../data/address.ts'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { SubmitHint } from '../items/submit_hint.tsx'
import { OutsideWorld } from '../outside/outside_world.tsx'
import { TopBar } from '../shell/top_bar.tsx'
import { LazyPart } from '../ui/lazy_page.tsx'
import { PauseControls } from '../ui/pause_controls.tsx'

const HelpDialog = lazy(async () => ({
  default: (await import('../beacons/help_dialog.tsx')).HelpDialog,
}))
const BeaconProof = lazy(async () => ({
  default: (await import('../proofs/beacon_proof.tsx')).BeaconProof,
}))

const LogLine = lazy(async () => ({
  default: (await import('../log/log_line.tsx')).LogLine,
}))

export const BeaconsPage = ({ hash }: { hash: string | null }) => {
  const { clockOffset, slowedUntil } = useConsole()
  const { feed, prover, retryNow } = useChain()
  const [, navigate] = useLocation()
  const state = useStore(feed.state)
  const proofs = useStore(prover.proofs)
  const slowed = useStore(slowedUntil)
  const offset = useStore(clockOffset)
  const [chosen, setChosen] = useState<string | null>(null)
  const [help, setHelp] = useState(false)

  const { list, pausedAt } = state
  const unseen = pausedAt === null ? 0 : newerThan(list.rows, pausedAt)
  const rows = useMemo(() => (unseen === 0 ? list.rows : list.rows.slice(unseen)), [list.rows, unseen])
  const head = list.rows[0] ?? null
  const interval = useMemo(() => learnInterval(state.intervalMs, list.rows), [state.intervalMs, list.rows])
  const proof = useMemo(() => chainProof(list, (id) => proofs.get(id)?.recomputation?.ok), [list, proofs])
  const selected = (hash === null ? null : rows.find((row) => row.hash === hash)?.id) ?? chosen

  const open = useCallback(
    (wanted: string): void => {
      setChosen(rows.find((row) => row.hash === wanted)?.id ?? null)
      navigate(`/beacons/${wanted}`, { replace: hash !== null })
    },
    [rows, hash, navigate],
  )
  const close = useCallback((): void => {
    // Goes back in the history when the previous address was the list, so that "back" does not open the
    // drawer again.
    if (cameFrom('/')) window.history.back()
    else navigate('/', { replace: true })
    if (selected !== null) requestAnimationFrame(() => document.getElementById(rowId(selected))?.focus())
  }, [selected, navigate])
  const loadOlder = useCallback(() => void feed.loadOlder(), [feed])
  const togglePause = (): void => (pausedAt === null ? feed.pause() : feed.resume())
  useBeaconKeys({
    rows,
    head,
    selected,
    openHash: hash,
    choose: setChosen,
    open,
    close,
    togglePause,
    help: () => setHelp(true),
  })

  return (
    <div className="shell" data-drawer={hash !== null}>
      <title>{head === null ? 'Pharos' : `${head.hash.slice(0, 8)} · Pharos`}</title>
      <TopBar onHelp={() => setHelp(true)}>
        <LiveStatus state={state} intervalMs={interval.ms} />
      </TopBar>
      <Banner state={state} slowedUntil={slowed} onRetry={retryNow} />
      <main className="beacons">
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
        <section className="chain" aria-label="Beacons">
          <div className="chain-head">
            <ChainProofLine proof={proof} catchUp={state.catchUp} onOpen={open} />
            <PauseControls
              paused={pausedAt !== null}
              unseen={unseen}
              onToggle={togglePause}
              onShowNew={() => {
                feed.showNew()
                window.scrollTo({ top: 0 })
              }}
            />
          </div>
          <BeaconRows
            rows={rows}
            conflicts={list.conflicts}
            proofs={proofs}
            selected={selected}
            arrived={state.arrived}
            older={state.older}
            onOpen={open}
            onOlder={loadOlder}
          />
        </section>
      </main>
      {hash !== null && (
        <BeaconDrawer
          hash={hash}
          rows={list.rows}
          conflicts={list.conflicts}
          proofs={proofs}
          clockOffset={offset}
          onOpen={open}
          onClose={close}
        >
          {(id) => (
            <LazyPart>
              <BeaconProof key={id} id={id} />
            </LazyPart>
          )}
        </BeaconDrawer>
      )}
      {help && (
        <LazyPart>
          <HelpDialog onClose={() => setHelp(false)} />
        </LazyPart>
      )}
      <Announcer state={state} />
    </div>
  )
}
