// The list of blocks, newest first: a row has the beacon of its block, which comes first.
import './chain.css'
import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { Epoch } from '../commitments/epoch.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { count } from '../ui/format.ts'
import { LiveRows } from '../ui/list/live_rows.tsx'
import { MAX_ROWS } from './beacon_list.ts'
import { COLUMNS, type Column, factsOf, type RowFacts } from './columns.tsx'
import type { ChainRows } from './use_rows.ts'

type BeaconRowsProps = {
  readonly chain: ChainRows
  /** Hash of the beacon that the keys act on. */
  readonly selected: string | null
  readonly epochs: readonly Epoch[]
  readonly onOpen: (hash: string) => void
}

export const BeaconRows = ({ chain, selected, epochs, onOpen }: BeaconRowsProps) => {
  const { live, rows, older, loadOlder } = chain
  const box = useRef<HTMLOListElement>(null)
  useShowSelected(rows, selected, box)
  /** The one that the key Tab comes to. */
  const reached = rows.find(({ hash }) => hash === selected) ?? rows[0]
  return (
    <>
      {rows.length > 0 && <RowHeads />}
      <LiveRows
        rows={rows}
        label="Blocks, newest first"
        className="rows"
        rowHeight={ROW_HEIGHT}
        testId="beacon-row"
        box={box}
        older={older}
        onOlder={loadOlder}
        words={{
          rows: 'blocks',
          end: live === null ? 'The first block of this range.' : 'The genesis block: here the chain begins.',
          bounded: `This page keeps the newest ${count(MAX_ROWS)} blocks; older ones stay in the ledger.`,
        }}
        marks={({ hash }) => ({ 'data-hash': hash })}
      >
        {(beacon, index) => (
          <BeaconRow
            beacon={beacon}
            {...factsOf(chain, beacon, index, epochs)}
            selected={beacon.hash === selected}
            arrived={beacon.id === live?.arrived}
            tabIndex={beacon === reached ? 0 : -1}
            onOpen={onOpen}
          />
        )}
      </LiveRows>
    </>
  )
}

/** Pixels, as in rows.css. */
const ROW_HEIGHT = 40

/** The bars at the top of the window cover rows below them. */
const COVERED_PX = 132

/** Scrolls a row into view when it was selected by key. A row selected by pointer is already in view. */
const useShowSelected = (
  rows: readonly Beacon[],
  selected: string | null,
  box: RefObject<HTMLOListElement | null>,
): void => {
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (selected === shown.current || box.current === null) return
    const index = rows.findIndex(({ hash }) => hash === selected)
    if (index === -1) return
    shown.current = selected
    const above = box.current.getBoundingClientRect().top + index * ROW_HEIGHT - COVERED_PX
    const below = above + COVERED_PX + ROW_HEIGHT - window.innerHeight
    if (above < 0) window.scrollBy({ top: above, behavior: 'instant' })
    else if (below > 0) window.scrollBy({ top: below + ROW_HEIGHT, behavior: 'instant' })
  }, [rows, selected, box])
}

type BeaconRowProps = RowFacts & {
  readonly beacon: Beacon
  readonly selected: boolean
  /** True when it has just arrived live. The row is then highlighted once. */
  readonly arrived: boolean
  readonly tabIndex: number
  readonly onOpen: (hash: string) => void
}

const BeaconRow = memo(({ selected, arrived, tabIndex, onOpen, ...row }: BeaconRowProps) => (
  <div className="row" data-state={row.check} data-selected={selected} data-arrived={arrived}>
    <span className="row-chain" aria-hidden="true" />
    <Link
      className="row-link"
      id={rowId(row.beacon.hash)}
      href={`/beacons/${row.beacon.hash}`}
      tabIndex={tabIndex}
      aria-current={selected ? 'true' : undefined}
      onClick={(event) => {
        event.preventDefault()
        onOpen(row.beacon.hash)
      }}
    >
      <Cells of={({ cell }) => cell(row)} />
    </Link>
    <CopyButton text={row.beacon.hash} what="hash" tabIndex={tabIndex} />
  </div>
))
BeaconRow.displayName = 'BeaconRow'

export const rowId = (hash: string): string => `row-${hash}`

/** The names of the columns, above the rows. Every cell says by itself what it is. */
const RowHeads = () => (
  <div className="row row-heads" aria-hidden="true">
    <span className="row-chain" />
    <span className="row-link">
      <Cells of={({ head }) => head} />
    </span>
  </div>
)

const Cells = ({ of }: { of: (column: Column) => ReactNode }) =>
  COLUMNS.map((column) => (
    <span key={column.key} className={`cut row-${column.key}`} style={{ width: column.width }}>
      {of(column)}
    </span>
  ))
