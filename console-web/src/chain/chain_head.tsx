// What stands above the rows of the chain: what was checked of them, and the pause.
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { count, dayAndTime, plural, utcClock } from '../ui/format.ts'
import { PauseControls } from '../ui/list/pause_controls.tsx'
import { Time } from '../ui/time.tsx'
import type { FeedState } from './beacon_feed.ts'
import { type ChainProof, chainProof } from './beacon_list.ts'
import { useChain } from './chain_context.ts'
import type { ChainRows } from './use_rows.ts'

type ChainHeadProps = {
  readonly chain: ChainRows
  readonly onOpen: (hash: string) => void
}

export const ChainHead = (props: ChainHeadProps) => {
  const { feed } = useChain()
  const { live, unseen } = props.chain
  return (
    <div className="list-head chain-head">
      <ChainProofLine {...props} />
      {live !== null && <PauseControls list={feed} isHeld={live.heldAt !== null} unseen={unseen} />}
    </div>
  )
}

/** Why the failure is stands below the rows. */
const emptyWords = ({ live, older }: ChainRows): string => {
  if (live !== null) return 'Waiting for the first blocks.'
  if (older.kind === 'failed') return 'The range could not be read.'
  return older.kind === 'end' ? 'No block lies in this range.' : 'Reading the range…'
}

const reasons: Readonly<Record<ChainProof['breaks'][number]['why'], string>> = {
  link: 'its previous hash is not the hash of the block before it',
  hash: 'its hash is not the hash of its block, recomputed here',
  conflict: 'the service showed two different blocks under this id',
}

const ChainProofLine = ({ chain, onOpen }: ChainHeadProps) => {
  const { live, rows, proofs, conflicts } = chain
  const proof = useMemo(
    () => chainProof({ rows, conflicts }, (id) => proofs.get(id)?.recomputation.ok),
    [rows, conflicts, proofs],
  )
  const catchUp = live?.catchUp ?? null
  const broken = proof.breaks[0]
  if (broken !== undefined)
    return (
      <div className="chain-proof broken" data-testid="chain-proof" data-state="broken" role="alert">
        <strong>Chain broken.</strong> Block of {dayAndTime(broken.beacon.timestamp, true)}:{' '}
        {reasons[broken.why]}.{' '}
        <Button look="text" onClick={() => onOpen(broken.beacon.hash)}>
          Show it
        </Button>
        {proof.breaks.length > 1 && <span> {count(proof.breaks.length - 1)} more below.</span>}
      </div>
    )
  if (proof.since === null)
    return (
      <div className="chain-proof" data-testid="chain-proof" data-state="empty">
        {emptyWords(chain)}
      </div>
    )
  const pending = proof.unbroken - proof.recomputed
  return (
    <div className="chain-proof" data-testid="chain-proof" data-state={pending === 0 ? 'proven' : 'linked'}>
      <span className="chain-proof-mark" aria-hidden="true" />
      <span>
        Chain unbroken: <strong>{plural(proof.unbroken, 'block')}</strong> verified since{' '}
        <Time at={proof.since}>{dayAndTime(proof.since, true)}</Time>
        <small>
          {pending === 0
            ? 'every link and every block hash recomputed in this browser'
            : `every link checked · ${count(proof.recomputed)} block hashes recomputed, ${count(pending)} to go`}
        </small>
        {catchUp !== null && catchUp.count > 1 && (
          <small className="caught-up">
            {catchUp.done ? 'Caught up: ' : 'Catching up: '}
            {count(catchUp.count)} blocks came since {dayAndTime(catchUp.since, true)}
            {catchUp.done && ', none missing'}
          </small>
        )}
      </span>
    </div>
  )
}

const QUIET_MS = 20_000

export const Announcer = ({ state }: { state: FeedState }) => {
  const [words, setWords] = useState('')
  const spokeAt = useRef(0)
  const { arrived, catchUp } = state
  const beacon = arrived === null ? undefined : state.list.rows.find((row) => row.id === arrived)
  const caughtUp = catchUp?.done && catchUp.count > 1 ? catchUp.count : 0
  useEffect(() => {
    if (beacon === undefined || Date.now() - spokeAt.current < QUIET_MS) return
    spokeAt.current = Date.now()
    setWords(`New block at ${utcClock(beacon.timestamp)} UTC, hash starting ${beacon.hash.slice(0, 8)}.`)
  }, [beacon])
  useEffect(() => {
    if (caughtUp > 0) setWords(`Caught up: ${count(caughtUp)} blocks.`)
  }, [caughtUp])
  return (
    <p className="visually-hidden" aria-live="polite">
      {words}
    </p>
  )
}
