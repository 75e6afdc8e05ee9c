// The chain as a table, newest block first, with its plots and its search, and one beacon beside it when the address
// names one.
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { BeaconDrawer } from '../chain/beacon_drawer.tsx'
import { BeaconRows, rowId } from '../chain/beacon_rows.tsx'
import { Announcer, ChainHead } from '../chain/chain_head.tsx'
import { ChainTop, RangeBar } from '../chain/chain_top.tsx'
import { chainAddress, rangeIn, type TimeRange, walkIn } from '../chain/time_range.ts'
import { BEACON_HELP, useBeaconKeys } from '../chain/use_beacon_keys.tsx'
import { useRows } from '../chain/use_rows.ts'
import { useEpochs } from '../commitments/epoch.ts'
import { cameFrom } from '../data/address.ts'
import { lazyPart } from '../ui/load/lazy.tsx'
import { usePageHelp } from '../ui/over/use_keys.ts'

const BeaconProof = lazyPart(async () => (await import('../proofs/proof_panel.tsx')).BeaconProof)
const Plots = lazyPart(async () => (await import('../chain/plots.tsx')).Plots)
const WalkPanel = lazyPart(async () => (await import('../chain/walk_panel.tsx')).WalkPanel)

/** There the plots leave room for the rows. */
const hasRoom = (): boolean => window.matchMedia('(min-width: 1024px) and (min-height: 800px)').matches

export const ChainPage = ({ hash }: { hash: string | null }) => {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const range = useMemo(() => rangeIn(query), [query])
  const chain = useRows(range)
  const { live, rows, proofs, older, loadOlder } = chain
  const epochs = useEpochs(range?.from ?? null, true)
  const [chosen, setChosen] = useState<string | null>(null)
  const [plots, setPlots] = useState(hasRoom)
  const selected = hash ?? chosen
  const walk = walkIn(query)

  const open = useCallback(
    (wanted: string): void => {
      setChosen(wanted)
      navigate(chainAddress(wanted, { range, walk }), { replace: hash !== null })
    },
    [hash, navigate, range, walk],
  )
  const close = useCallback((): void => {
    // Goes back in the history when the previous address was the list, so that "back" does not open the
    // drawer again.
    if (cameFrom('/chain')) window.history.back()
    else navigate(chainAddress(null, { range, walk }), { replace: true })
    if (selected !== null) requestAnimationFrame(() => document.getElementById(rowId(selected))?.focus())
  }, [selected, navigate, range, walk])
  usePageHelp(BEACON_HELP)
  useBeaconKeys({ rows, selected, openHash: hash, choose: setChosen, open, close })
  useEffect(() => {
    // The plots show a few hundred blocks, and the first page of the live list is smaller.
    if (plots && range === null && rows.length > 0 && rows.length < FEW && older.kind === 'idle') loadOlder()
  }, [plots, range, rows.length, older.kind, loadOlder])
  const isEmpty = range !== null && rows.length === 0 && older.kind === 'end'
  const showRange = (within: TimeRange | null): void => navigate(chainAddress(hash, { range: within, walk }))
  const walkFrom = (next: string | null): void =>
    navigate(chainAddress(hash, { range, walk: next }), { replace: true })

  return (
    <div className="chain-page" data-drawer={hash !== null}>
      <title>{hash === null ? 'Chain · Pharos' : `${hash.slice(0, 8)} · Pharos`}</title>
      <main className="plain-page">
        <ChainTop
          drawFrom={hash ?? rows[0]?.hash ?? null}
          plots={plots}
          onPlots={() => setPlots(!plots)}
          onWalk={() => walkFrom('head')}
        />
        {walk !== null && (
          <WalkPanel key={walk} from={walk === 'head' ? null : Number(walk)} onClose={() => walkFrom(null)} />
        )}
        {plots && !isEmpty && (
          <div className="plots-place">
            <Plots rows={rows} proofs={proofs} epochs={epochs} onRange={showRange} />
          </div>
        )}
        {range !== null && <RangeBar range={range} onRange={showRange} />}
        <section className="chain" aria-label="Blocks">
          <ChainHead chain={chain} onOpen={open} />
          <BeaconRows chain={chain} selected={selected} epochs={epochs} onOpen={open} />
        </section>
      </main>
      {hash !== null && (
        <BeaconDrawer hash={hash} chain={chain} onOpen={open} onClose={close}>
          {(id) => <BeaconProof key={id} id={id} />}
        </BeaconDrawer>
      )}
      {live !== null && <Announcer state={live} />}
    </div>
  )
}

const FEW = 200
