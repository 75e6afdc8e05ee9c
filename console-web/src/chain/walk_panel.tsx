// The walk to the genesis block: progress, pause, and an honest result.
import { useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/store.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { count, dayAndTime, plural } from '../ui/format.ts'
import { Differs } from '../ui/step.tsx'
import { ChainWalk, type WalkState } from './chain_walk.ts'

type WalkPanelProps = {
  /** Height of the block to begin with. Null for the head. */
  readonly from: number | null
  readonly onClose: () => void
}

export const WalkPanel = ({ from, onClose }: WalkPanelProps) => {
  const { api } = useConsole()
  const walk = useMemo(() => new ChainWalk(api, from), [api, from])
  const state = useStore(walk.state)
  useEffect(() => {
    walk.go()
    return () => walk.pause()
  }, [walk])
  const { kind, place } = state
  const all = place === null ? 1 : place.top.height + 1
  return (
    <section className="card walk stack" aria-labelledby="walk" data-testid="walk" data-state={kind}>
      <header className="spread">
        <h2 id="walk">Walk to the genesis block</h2>
        <IconButton icon="close" label="Close the walk" tip="Close" onClick={onClose} />
      </header>
      {kind === 'done' || kind === 'broken' || kind === 'failed' ? (
        <Outcome state={state} />
      ) : (
        <>
          <progress max={all} value={place?.checked ?? 0} aria-label="Blocks checked" />
          <p>
            {place === null
              ? 'Reading the first blocks…'
              : `${count(place.checked)} of ${count(all)} blocks: every hash recomputed, every link holds so far, down to block ${count(place.low.height)} of ${dayAndTime(place.low.timestamp, true)}.`}
            {state.why !== null && ` ${state.why}`}
          </p>
        </>
      )}
      <p className="acts">
        {kind === 'walking' && <Button onClick={() => walk.pause()}>Pause</Button>}
        {(kind === 'paused' || kind === 'failed') && (
          <Button onClick={() => walk.go()}>{kind === 'failed' ? 'Try again' : 'Go on'}</Button>
        )}
      </p>
    </section>
  )
}

const Outcome = ({ state: { kind, place, broken, why } }: { state: WalkState }) => {
  if (broken !== null)
    return (
      <div className="alarm" role="alert">
        <p>
          <strong>The chain breaks at block {count(broken.block.height)}.</strong> {broken.what}. Above it{' '}
          {plural(place?.checked ?? 0, 'block holds', 'blocks hold')}.
        </p>
        <Differs values={{ expected: broken.expected, found: broken.found }} />
        <Link to={`/blocks/${broken.block.id}`}>Show the block</Link>
      </div>
    )
  if (kind === 'failed' || place === null)
    return (
      <p className="problem" role="alert">
        The walk ended after {plural(place?.checked ?? 0, 'block')}: {why} What was checked until there holds;
        nothing is said of the rest.
      </p>
    )
  return (
    <p className="walk-done" role="status" data-testid="walk-done">
      <strong>{plural(place.checked, 'block')}, every link holds,</strong> from block{' '}
      {count(place.top.height)} of {dayAndTime(place.top.timestamp, true)} down to the genesis block of{' '}
      {dayAndTime(place.low.timestamp, true)}. Every block hash was recomputed in this browser. Signatures,
      items and commitments are not part of this walk.
    </p>
  )
}
