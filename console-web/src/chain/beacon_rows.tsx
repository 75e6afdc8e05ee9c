// The list of beacons, newest first. Only the rows near the window are rendered. Rows in view stay in place
// when a beacon arrives above them.
import './chain.css'
import { useLayoutEffect, useRef } from 'react'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { GENESIS_PREVIOUS_HASH } from '../blocks/recompute_block.ts'
import type { OlderPages } from '../data/stream/live_list.ts'
import { count } from '../ui/format_count.ts'
import { OlderLine } from '../ui/list/older_line.tsx'
import { useWindowRows } from '../ui/list/use_window_rows.ts'
import { linkOf, MAX_ROWS, rowState } from './beacon_list.ts'
import { BeaconRow, RowHeads } from './beacon_row.tsx'
import type { Proofs } from './block_prover.ts'
import { type ChainsOf, factsOf } from './columns.tsx'

type BeaconRowsProps = {
  readonly rows: readonly Beacon[]
  readonly conflicts: ReadonlySet<string>
  readonly proofs: Proofs
  readonly selected: string | null
  readonly arrived: string | null
  readonly older: OlderPages
  readonly chainsOf: ChainsOf
  /** The text below the last row when there are no older ones. */
  readonly end: string
  readonly onOpen: (hash: string) => void
  readonly onOlder: () => void
}

export const BeaconRows = ({
  rows,
  conflicts,
  proofs,
  selected,
  arrived,
  older,
  chainsOf,
  end,
  onOpen,
  onOlder,
}: BeaconRowsProps) => {
  const box = useRef<HTMLOListElement>(null)
  const { items, top } = useWindowRows(rows, box, older, onOlder, ROW_HEIGHT)
  useShowSelected(rows, selected, top)

  return (
    <>
      {rows.length > 0 && <RowHeads />}
      <ol
        className="rows"
        ref={box}
        style={{ height: rows.length * ROW_HEIGHT }}
        aria-label="Beacons, newest first"
      >
        {items.map((item) => {
          const beacon = rows[item.index]
          if (beacon === undefined) return null
          const proof = proofs.get(beacon.id)
          const link = linkOf(rows, item.index, GENESIS_PREVIOUS_HASH)
          const check = rowState(link, conflicts.has(beacon.id), proof?.recomputation?.ok)
          return (
            <li
              key={beacon.id}
              data-testid="beacon-row"
              data-id={beacon.id}
              data-hash={beacon.hash}
              data-state={check}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              style={{ transform: `translateY(${item.start - top}px)` }}
            >
              <BeaconRow
                beacon={beacon}
                check={check}
                {...factsOf(rows, item.index, proofs, chainsOf)}
                selected={beacon.id === selected}
                arrived={beacon.id === arrived}
                tabIndex={beacon.id === (selected ?? rows[0]?.id) ? 0 : -1}
                onOpen={onOpen}
              />
            </li>
          )
        })}
      </ol>
      {rows.length > 0 && (
        <OlderLine
          older={older}
          rows="beacons"
          end={end}
          bounded={`This page keeps the newest ${count(MAX_ROWS)} beacons; older ones stay in the ledger.`}
          onOlder={onOlder}
        />
      )}
    </>
  )
}

/** Pixels, as in rows.css. */
const ROW_HEIGHT = 40

/** The bars at the top of the window cover rows below them. */
const COVERED_PX = 132

/** Scrolls a row into view when it was selected by key. A row selected by pointer is already in view. */
const useShowSelected = (rows: readonly Beacon[], selected: string | null, top: number): void => {
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (selected === shown.current) return
    const index = rows.findIndex((row) => row.id === selected)
    if (index === -1) return
    shown.current = selected
    const start = top + index * ROW_HEIGHT
    if (start < window.scrollY + COVERED_PX)
      window.scrollTo({ top: Math.max(0, start - COVERED_PX), behavior: 'instant' })
    else if (start + ROW_HEIGHT > window.scrollY + window.innerHeight)
      window.scrollTo({ top: start + ROW_HEIGHT * 2 - window.innerHeight, behavior: 'instant' })
  }, [rows, selected, top])
}
