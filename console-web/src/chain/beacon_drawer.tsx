// The details of one block, which its beacon names: its fields, the recomputation, and the documents as received. The drawer
// stands beside the list, which stays usable.
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { firstBlockPath, readFirstBlock } from '../blocks/block.ts'
import { GENESIS_PREVIOUS_HASH } from '../blocks/recompute_block.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { CodeField, RawJson, TextField, TimeField } from '../ui/fields.tsx'
import { count } from '../ui/format.ts'
import { LightStrip } from '../ui/light_strip.tsx'
import { linkOf, rowState } from './beacon_list.ts'
import { stateWords } from './columns.tsx'
import { type BeaconDetail, detailOf, RecomputeSteps } from './recompute_steps.tsx'
import type { ChainRows } from './use_rows.ts'

type BeaconDrawerProps = {
  readonly hash: string
  readonly chain: ChainRows
  readonly onOpen: (hash: string) => void
  readonly onClose: () => void
  /** Further content for the beacon of this id, such as its proof. Shown after the block has been read. */
  readonly children: (id: string) => ReactNode
}

export const BeaconDrawer = ({ hash, chain, onOpen, onClose, children }: BeaconDrawerProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const { rows, conflicts } = chain
  const loaded = useBeaconDetail(hash, chain)
  const detail = loaded.kind === 'found' ? loaded.value : null
  // Takes the focus once, when the drawer opens. Moving through beacons with j and k does not move the focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const newer = rows[rows.findIndex((row) => row.hash === hash) - 1]
  const genesis = detail?.beacon.previous_hash === GENESIS_PREVIOUS_HASH
  return (
    <section className="drawer" data-testid="drawer" aria-label="Block">
      <header className="drawer-head">
        <h2 ref={heading} tabIndex={-1}>
          Block
        </h2>
        <IconButton
          icon="newer"
          label="Newer block"
          tip="Newer (k)"
          disabled={newer === undefined}
          onClick={() => newer !== undefined && onOpen(newer.hash)}
        />
        <IconButton
          icon="older"
          label="Older block"
          tip="Older (j)"
          disabled={detail === null || genesis}
          onClick={() => detail !== null && onOpen(detail.beacon.previous_hash)}
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
        {detail !== null && (
          <Found detail={detail} conflict={conflicts.has(detail.beacon.id)}>
            {children}
          </Found>
        )}
        {loaded.kind === 'loading' && <p className="soft">Looking for this block…</p>}
        {loaded.kind === 'missing' && <p className="soft">No block of this ledger has this hash.</p>}
        {loaded.kind === 'failed' && <p className="soft">{loaded.why}</p>}
      </div>
    </section>
  )
}

type FoundProps = {
  readonly detail: BeaconDetail
  readonly conflict: boolean
  readonly children: (id: string) => ReactNode
}

const Found = ({ detail, conflict, children }: FoundProps) => {
  const { beacon, proof, link, failure } = detail
  const { id, hash, timestamp, previous_hash } = beacon
  const state = rowState(link, conflict, proof?.recomputation.ok)
  const block = proof?.block ?? null
  return (
    <>
      <p className="notice drawer-state" data-tone={state === 'open' ? 'calm' : 'good'} data-state={state}>
        <strong>{stateWords[state].word}</strong>
        <span>
          {state === 'open' ? 'The block before it has not been read yet.' : stateWords[state].meaning}
        </span>
      </p>
      <LightStrip hash={hash} className="light-strip head-strip" />
      <dl className="fields">
        <CodeField name="hash" value={hash} />
        <CodeField name="previous_hash" value={previous_hash} />
        <CodeField name="id" value={id} />
        <TimeField name="timestamp" time={timestamp} />
        {block !== null && (
          <>
            <TextField name="height">{count(block.height)}</TextField>
            {block.itemCount !== null && <TextField name="items">{count(block.itemCount)}</TextField>}
            <TextField name="block">
              <Link to={`/blocks/${block.id}`} data-testid="block-page">
                What it holds
              </Link>
            </TextField>
            <TextField name="draw">
              <Link to={`/beacons/${hash}/draw`}>Use this beacon</Link>
              <small>its hash as a public value: draw winners that anybody can check</small>
            </TextField>
            <CodeField name="merkle_root" value={block.merkleRoot} />
            <CodeField name="signing_key_id" value={block.keyId} />
          </>
        )}
      </dl>
      {/* What stands below the fields comes when they are complete, so that they move nothing. */}
      {proof === null && failure === null ? (
        <p className="soft">Reading its block…</p>
      ) : (
        <>
          <h3>Recomputed in this browser</h3>
          <RecomputeSteps {...detail} />
          {block !== null && children(id)}
          <h3>As received</h3>
          <RawJson title="Beacon" value={{ id, hash, timestamp, previous_hash }} />
          {block !== null && <RawJson title="Block" value={block.raw} />}
        </>
      )}
    </>
  )
}

/** The beacon that the address names, with its block: from the page's list, otherwise from the service. */
const useBeaconDetail = (hash: string, { rows, proofs }: ChainRows): Loaded<BeaconDetail> => {
  const index = rows.findIndex((row) => row.hash === hash)
  const held = rows[index]
  const heldProof = (held && proofs.get(held.id)) ?? null
  const link = linkOf(rows, index, GENESIS_PREVIOUS_HASH)
  const olderHash = rows[index + 1]?.hash ?? null
  const isComplete = heldProof !== null && link !== 'open'
  const asked = useDocument(isComplete ? null : firstBlockPath({ 'filter[block_hash]': hash }), {
    read: readFirstBlock,
  })
  if (asked.kind === 'found' && asked.value !== null) {
    const read = detailOf(asked.value, held)
    return { kind: 'found', value: link === 'open' ? read : { ...read, link, olderHash } }
  }
  if (held === undefined) return asked.kind === 'found' ? { kind: 'missing' } : asked
  const failure = asked.kind === 'failed' ? asked.why : asked.kind === 'found' ? NO_BLOCK : null
  const proof = isComplete || failure !== null ? heldProof : null
  return { kind: 'found', value: { beacon: held, proof, link, olderHash, failure } }
}

const NO_BLOCK = 'The service has no block of this hash, so nothing can be recomputed.'
