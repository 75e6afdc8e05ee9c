// One beacon in the list: its place in the chain, its time, its hash, and what the page has checked.
import './beacons.css'
import { memo } from 'react'
import { Link } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { count, localTime, utcClock, utcDay } from '../ui/format_time.ts'
import { LightStrip } from '../ui/light_strip.tsx'

import type { RowState } from './beacon_list.ts'

export type BeaconRowProps = {
  readonly beacon: Beacon
  readonly state: RowState
  readonly height: number | null
  readonly selected: boolean
  /** True when it has just arrived live. The row is then highlighted once. */
  readonly arrived: boolean
  readonly tabIndex: number
  readonly onOpen: (hash: string) => void
}

export const stateWords: Readonly<Record<RowState, { word: string; meaning: string }>> = {
  proven: {
    word: 'proven',
    meaning: 'Linked to its predecessor, and its block hash was recomputed in this browser.',
  },
  linked: { word: 'linked', meaning: 'Linked to its predecessor; the block hash is still to be recomputed.' },
  open: {
    word: 'loading',
    meaning: 'Its predecessor has not been loaded yet, so the link cannot be checked.',
  },
  broken: { word: 'broken', meaning: 'This beacon does not fit the chain.' },
}

export const BeaconRow = memo(
  ({ beacon, state, height, selected, arrived, tabIndex, onOpen }: BeaconRowProps) => (
    <div className="row" data-state={state} data-selected={selected} data-arrived={arrived}>
      <span className="row-chain" aria-hidden="true" />
      <Link
        className="row-link"
        id={rowId(beacon.id)}
        href={`/beacons/${beacon.hash}`}
        tabIndex={tabIndex}
        aria-current={selected ? 'true' : undefined}
        onClick={(event) => {
          event.preventDefault()
          onOpen(beacon.hash)
        }}
      >
        <time className="row-time" dateTime={beacon.timestamp} title={localTime(beacon.timestamp)}>
          {utcClock(beacon.timestamp)}
          <small>{utcDay(beacon.timestamp)}</small>
        </time>
        <span className="row-height">{height === null ? '' : `#${count(height)}`}</span>
        <code className="row-hash" title={beacon.hash}>
          <b>{beacon.hash.slice(0, 8)}</b>
          {beacon.hash.slice(8)}
        </code>
        <LightStrip hash={beacon.hash} />
      </Link>
      <span className="row-state" title={stateWords[state].meaning}>
        {stateWords[state].word}
      </span>
      <CopyButton text={beacon.hash} what="hash" tabIndex={tabIndex} />
    </div>
  ),
)
BeaconRow.displayName = 'BeaconRow'

export const rowId = (id: string): string => `row-${id}`
