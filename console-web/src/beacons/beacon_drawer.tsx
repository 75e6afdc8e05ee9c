// The details of one beacon: its fields, the recomputation, and the documents as received. The drawer stands
// beside the list, which stays usable.
import './beacons.css'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { CodeField, RawJson } from '../ui/fields.tsx'
import { count, plural } from '../ui/format_count.ts'
import { duration, localTime, utc } from '../ui/format_time.ts'
import { IconButton } from '../ui/icon_button.tsx'
import { LightStrip } from '../ui/light_strip.tsx'
import { useNow } from '../ui/use_now.ts'
import { linkOf, rowState } from './beacon_list.ts'
import { stateWords } from './beacon_row.tsx'
import type { Proofs } from './block_prover.ts'
import { GENESIS_PREVIOUS_HASH } from './genesis.ts'
import { RecomputeSteps } from './recompute_steps.tsx'
import { type BeaconDetail, useBeaconDetail } from './use_beacon_detail.ts'

type BeaconDrawerProps = {
  readonly hash: string
  readonly rows: readonly Beacon[]
  readonly conflicts: ReadonlySet<string>
  readonly proofs: Proofs
  readonly clockOffset: number
  readonly onOpen: (hash: string) => void
  readonly onClose: () => void
  /** Further content for the beacon of this id, such as its proof. Shown after the block has been read. */
  readonly children: (id: string) => ReactNode
}

export const BeaconDrawer = ({
  hash,
  rows,
  conflicts,
  proofs,
  clockOffset,
  onOpen,
  onClose,
  children,
}: BeaconDrawerProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const detail = useBeaconDetail(hash, rows, proofs)
  // Takes the focus once, when the drawer opens. Moving through beacons with j and k does not move the focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const index = rows.findIndex((row) => row.hash === hash)
  const newer = index > 0 ? rows[index - 1] : undefined
  const genesis = detail.kind === 'found' && detail.beacon.previous_hash === GENESIS_PREVIOUS_HASH
  return (
    <section className="drawer" data-testid="drawer" aria-label="Beacon">
      <header className="drawer-head">
        <h2 ref={heading} tabIndex={-1}>
          Beacon
        </h2>
        <IconButton
          icon="newer"
          label="Newer beacon"
          tip="Newer (k)"
          disabled={newer === undefined}
          onClick={() => newer !== undefined && onOpen(newer.hash)}
        />
        <IconButton
          icon="older"
          label="Older beacon"
          tip="Older (j)"
          disabled={detail.kind !== 'found' || genesis}
          onClick={() => detail.kind === 'found' && onOpen(detail.beacon.previous_hash)}
        />
        <CopyButton text={`${window.location.origin}/beacons/${hash}`} what="link" />
        <IconButton
          icon="close"
          label="Close"
          tip="Close (Esc)"
          data-testid="drawer-close"
          onClick={onClose}
        />
      </header>
      <div className="drawer-body">
        {detail.kind === 'found' ? (
          <Found
            detail={detail}
            index={index}
            rows={rows}
            conflict={conflicts.has(detail.beacon.id)}
            clockOffset={clockOffset}
          >
            {children}
          </Found>
        ) : (
          <p className="drawer-note">{noteFor(detail)}</p>
        )}
      </div>
    </section>
  )
}

type FoundProps = {
  readonly detail: Extract<BeaconDetail, { kind: 'found' }>
  readonly index: number
  readonly rows: readonly Beacon[]
  readonly conflict: boolean
  readonly clockOffset: number
  readonly children: (id: string) => ReactNode
}

const Found = ({
  detail: { beacon, proof, failure },
  index,
  rows,
  conflict,
  clockOffset,
  children,
}: FoundProps) => {
  const now = useNow() + clockOffset
  const link =
    index === -1 ? linkOf([beacon], 0, GENESIS_PREVIOUS_HASH) : linkOf(rows, index, GENESIS_PREVIOUS_HASH)
  const state = rowState(link, conflict, proof?.recomputation?.ok)
  const block = proof?.block ?? null
  return (
    <>
      <p className="drawer-state" data-state={state}>
        <strong>{state === 'open' ? 'link not checked' : stateWords[state].word}</strong>
        <span>
          {state === 'open' ? 'The beacon before it is not in the list.' : stateWords[state].meaning}
        </span>
      </p>
      <LightStrip hash={beacon.hash} className="light-strip head-strip" />
      <dl className="fields">
        <CodeField name="hash" value={beacon.hash} />
        <CodeField name="previous_hash" value={beacon.previous_hash} />
        <CodeField name="id" value={beacon.id} />
        <dt>timestamp</dt>
        <dd title={localTime(beacon.timestamp)}>
          {utc(beacon.timestamp, true)} UTC <small>{duration(now - Date.parse(beacon.timestamp))} ago</small>
        </dd>
        {block !== null && (
          <>
            <dt>height</dt>
            <dd>{count(block.height)}</dd>
            <dt>state</dt>
            <dd>
              {block.state}
              {block.itemCount !== null && <small>{plural(block.itemCount, 'item')}</small>}
            </dd>
            <dt>block</dt>
            <dd>
              <Link to={`/blocks/${block.id}`} data-testid="block-page">
                What it holds
              </Link>
            </dd>
            <dt>draw</dt>
            <dd>
              <Link to={`/beacons/${beacon.hash}/draw`} data-testid="use-beacon">
                Use this beacon
              </Link>
              <small>draw winners that anybody can check</small>
            </dd>
            <CodeField name="merkle_root" value={block.merkleRoot} />
            <CodeField name="signing_key_id" value={block.keyId} />
          </>
        )}
      </dl>
      <h3>Recomputed in this browser</h3>
      <RecomputeSteps
        proof={proof}
        link={link}
        previousHash={beacon.previous_hash}
        olderHash={rows[index + 1]?.hash ?? null}
        failure={failure}
      />
      {block !== null && children(beacon.id)}
      <h3>As received</h3>
      <RawJson title="Beacon" value={beacon} />
      {block !== null && <RawJson title="Block" value={block.raw} />}
    </>
  )
}

const noteFor = (detail: Exclude<BeaconDetail, { kind: 'found' }>): string => {
  switch (detail.kind) {
    case 'loading':
      return 'Looking for this beacon…'
    case 'missing':
      return 'No beacon of this ledger has this hash.'
    case 'failed':
      return detail.why
    default:
      return detail satisfies never
  }
}
