// One beacon in the table of the chain, in one line: its mark on the line of the chain, and its columns.
import './chain.css'
import { memo } from 'react'
import { Link } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import type { RowState } from './beacon_list.ts'
import { COLUMNS, type RowFacts } from './columns.tsx'

type BeaconRowProps = RowFacts & {
  readonly beacon: Beacon
  /** What was checked. */
  readonly check: RowState
  readonly selected: boolean
  /** True when it has just arrived live. The row is then highlighted once. */
  readonly arrived: boolean
  readonly tabIndex: number
  readonly onOpen: (hash: string) => void
}

export const BeaconRow = memo(({ selected, arrived, tabIndex, onOpen, ...row }: BeaconRowProps) => (
  <div className="row" data-state={row.check} data-selected={selected} data-arrived={arrived}>
    <span className="row-chain" aria-hidden="true" />
    <Link
      className="row-link"
      id={rowId(row.beacon.id)}
      href={`/beacons/${row.beacon.hash}`}
      tabIndex={tabIndex}
      aria-current={selected ? 'true' : undefined}
      onClick={(event) => {
        // A click that asks for another tab or window is the browser's.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        onOpen(row.beacon.hash)
      }}
    >
      {COLUMNS.map(({ key, width, from, cell }) => (
        <span key={key} className={`row-${key}`} data-from={from} style={{ width: width ?? undefined }}>
          {cell(row)}
        </span>
      ))}
    </Link>
    <CopyButton text={row.beacon.hash} what="hash" tabIndex={tabIndex} />
  </div>
))
BeaconRow.displayName = 'BeaconRow'

export const rowId = (id: string): string => `row-${id}`

/** The names of the columns, above the rows. Every cell says by itself what it is. */
export const RowHeads = () => (
  <div className="row row-heads" aria-hidden="true">
    <span className="row-chain" />
    <span className="row-link">
      {COLUMNS.map(({ key, head, width, from }) => (
        <span key={key} className={`row-${key}`} data-from={from} style={{ width: width ?? undefined }}>
          {head}
        </span>
      ))}
    </span>
  </div>
)
