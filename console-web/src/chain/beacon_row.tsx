// One beacon in the list: its place in the chain, what is known of its block, and what the page has checked.
import './chain.css'
import { memo } from 'react'
import { Link } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { count, plural } from '../ui/format_count.ts'
import { duration, localTime, utcClock, utcDay } from '../ui/format_time.ts'
import { LightStrip } from '../ui/light_strip.tsx'
import type { RowState } from './beacon_list.ts'
import type { Proofs } from './block_prover.ts'

export type BeaconRowProps = RowFacts & {
  readonly beacon: Beacon
  /** What was checked. */
  readonly check: RowState
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
  ({
    beacon,
    check,
    height,
    intervalMs,
    items,
    state,
    chains,
    selected,
    arrived,
    tabIndex,
    onOpen,
  }: BeaconRowProps) => (
    <div className="row" data-state={check} data-selected={selected} data-arrived={arrived}>
      <span className="row-chain" aria-hidden="true" />
      <Link
        className="row-link"
        id={rowId(beacon.id)}
        href={`/beacons/${beacon.hash}`}
        tabIndex={tabIndex}
        aria-current={selected ? 'true' : undefined}
        onClick={(event) => {
          // A click that asks for another tab or window is the browser's.
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
          event.preventDefault()
          onOpen(beacon.hash)
        }}
      >
        <span className="row-height">{height === null ? '' : `#${count(height)}`}</span>
        <time className="row-time" dateTime={beacon.timestamp} title={localTime(beacon.timestamp)}>
          {utcClock(beacon.timestamp)}
          <small>{utcDay(beacon.timestamp)}</small>
        </time>
        <span className="row-interval">{intervalMs === null ? '' : gapWords(intervalMs)}</span>
        <span className="row-items" data-none={items === 0}>
          {items === null ? '' : plural(items, 'item')}
        </span>
        <code className="row-hash" title={beacon.hash}>
          <b>{beacon.hash.slice(0, 8)}</b>
          {beacon.hash.slice(8)}
        </code>
        <LightStrip hash={beacon.hash} />
        <span className="row-commit" data-state={state} title={chains}>
          {state ?? ''}
          {chains !== '' && <small>{chains}</small>}
        </span>
      </Link>
      <span className="row-state" title={stateWords[check].meaning}>
        {stateWords[check].word}
      </span>
      <CopyButton text={beacon.hash} what="hash" tabIndex={tabIndex} />
    </div>
  ),
)
BeaconRow.displayName = 'BeaconRow'

export const rowId = (id: string): string => `row-${id}`

/** Below ten seconds with a tenth, because chains for trials make a block every second or two. */
const gapWords = (ms: number): string => (ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms))

/** The names of the columns, above the rows. Every cell says by itself what it is. */
export const RowHeads = () => (
  <div className="row row-heads" aria-hidden="true">
    <span />
    <span className="row-link">
      <span className="row-height">Block</span>
      <span className="row-time">Time, UTC</span>
      <span className="row-interval">Interval</span>
      <span className="row-items">Items</span>
      <span className="row-hash">Hash</span>
      <span className="light-strip" />
      <span className="row-commit">State</span>
    </span>
    <span className="row-state">Checked</span>
  </div>
)

export type RowFacts = {
  readonly height: number | null
  /** Milliseconds since the beacon before. Null when that one is not in the list. */
  readonly intervalMs: number | null
  readonly items: number | null
  /** `finalized`, or `committed` with its chains. Null while nothing was read of it. */
  readonly state: 'finalized' | 'committed' | null
  readonly chains: string
}

/** Which chains carry the block of this id, such as `bitcoin mainnet`. Empty for none. */
export type ChainsOf = (id: string) => string

export const factsOf = (
  rows: readonly Beacon[],
  index: number,
  proofs: Proofs,
  chainsOf: ChainsOf,
): RowFacts => {
  const row = rows[index]
  if (row === undefined) return { height: null, intervalMs: null, items: null, state: null, chains: '' }
  const older = rows[index + 1]
  const block = proofs.get(row.id)?.block ?? null
  const chains = chainsOf(row.id)
  return {
    height: block?.height ?? heightFrom(rows, index, proofs),
    intervalMs: older === undefined ? null : Date.parse(row.timestamp) - Date.parse(older.timestamp),
    items: block?.itemCount ?? null,
    state: chains !== '' || block?.state === 'committed' ? 'committed' : block === null ? null : 'finalized',
    chains,
  }
}

/** Rows to look for a block whose height is known. */
const NEAR = 64

/** Counted from the next older block that was read, as long as every link up to there holds. */
const heightFrom = (rows: readonly Beacon[], index: number, proofs: Proofs): number | null => {
  for (let at = index; at < Math.min(rows.length - 1, index + NEAR); at += 1) {
    const older = rows[at + 1]
    if (older === undefined || rows[at]?.previous_hash !== older.hash) return null
    const height = proofs.get(older.id)?.block?.height
    if (height !== undefined) return height + at + 1 - index
  }
  return null
}
