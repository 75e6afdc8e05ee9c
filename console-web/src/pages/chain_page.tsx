// The chain as a list, newest beacon first, and one beacon beside it when the address names one.
import { lazy, useCallback, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { Announcer } from '../beacons/announcer.tsx'
import { BeaconDrawer } from '../beacons/beacon_drawer.tsx'
import { chainProof, newerThan } from '../beacons/beacon_list.ts'
import { rowId } from '../beacons/beacon_row.tsx'
import { BeaconRows } from '../beacons/beacon_rows.tsx'
import { useChain } from '../beacons/chain_context.ts'
import { ChainProofLine } from '../beacons/chain_proof_line.tsx'
import { useBeaconKeys } from '../beacons/use_beacon_keys.ts'
import { cameFrom } from '../data/address.ts'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { LazyPart } from '../ui/lazy_page.tsx'
import { usePageHelp } from '../ui/page_help.ts'
import { PauseControls } from '../ui/pause_controls.tsx'

const HelpDialog = lazy(async () => ({
  default: (await import('../beacons/help_dialog.tsx')).HelpDialog,
}))
const BeaconProof = lazy(async () => ({
  default: (await import('../proofs/beacon_proof.tsx')).BeaconProof,
}))

export const ChainPage = ({ hash }: { hash: string | null }) => {
  const { clockOffset } = useConsole()
  const { feed, prover } = useChain()
  const [, navigate] = useLocation()
  const state = useStore(feed.state)
  const proofs = useStore(prover.proofs)
  const offset = useStore(clockOffset)
  const [chosen, setChosen] = useState<string | null>(null)
  const [help, setHelp] = useState(false)

  const { list, pausedAt } = state
  const unseen = pausedAt === null ? 0 : newerThan(list.rows, pausedAt)
  const rows = useMemo(() => (unseen === 0 ? list.rows : list.rows.slice(unseen)), [list.rows, unseen])
  const head = list.rows[0] ?? null
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
    if (cameFrom('/chain')) window.history.back()
    else navigate('/chain', { replace: true })
    if (selected !== null) requestAnimationFrame(() => document.getElementById(rowId(selected))?.focus())
  }, [selected, navigate])
  const loadOlder = useCallback(() => void feed.loadOlder(), [feed])
  const showHelp = useCallback(() => setHelp(true), [])
  usePageHelp(showHelp)
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
    help: showHelp,
  })

  return (
    <div className="chain-page" data-drawer={hash !== null}>
      <title>{hash === null ? 'Chain · Pharos' : `${hash.slice(0, 8)} · Pharos`}</title>
      <main>
        <h1 className="visually-hidden">Chain</h1>
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
