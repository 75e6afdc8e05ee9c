// The steps that must happen before there is a proof, the present step, and when the next is expected.

import { Link } from 'wouter'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { useChain } from '../chain/chain_context.ts'
import { type Commitment, readCommitments } from '../commitments/commitment.ts'
import { epochsPath, nextEpochs, readEpochs } from '../commitments/epoch.ts'
import { countdown, learnInterval } from '../connection/countdown.ts'
import { useConsole } from '../data/console_context.ts'
import { numberOrNull, readDocument } from '../data/resource.ts'
import { useDocument } from '../data/use_document.ts'
import { useStore } from '../data/use_store.ts'
import { useStreamPulse } from '../data/use_stream_pulse.ts'
import { count } from '../ui/format_count.ts'
import { clockface } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'

const freshMs = (): number => 10_000
/** The last two of each chain are among so many. */
const FORECAST_FROM = 12

type ProofWaitProps = {
  /** The subject is the block itself. */
  readonly isBlock?: boolean
  readonly stage: 'no_block' | 'waiting'
  readonly blockId: string | null
}

export const ProofWait = ({ isBlock = false, stage, blockId }: ProofWaitProps) => (
  <ol className="stations" data-testid="proof-wait">
    {isBlock ? (
      <li data-done={true}>
        <strong>Finalized</strong>
        <span>It is signed, and holds on to the block before it.</span>
      </li>
    ) : (
      <>
        <li data-done={true}>
          <strong>Accepted</strong>
          <span>It is stored, hashed and signed.</span>
        </li>
        <li data-done={stage !== 'no_block'}>
          <strong>In a block</strong>
          {stage === 'no_block' || blockId === null ? <NextBlock /> : <InBlock blockId={blockId} />}
        </li>
      </>
    )}
    <li data-done={false}>
      <strong>On a public chain</strong>
      {stage === 'no_block' || blockId === null ? (
        <>
          <span>Blocks are gathered in epochs, and the root of each is written there.</span>
          <NextEpoch />
        </>
      ) : (
        <NextCommitment blockId={blockId} />
      )}
    </li>
  </ol>
)

const NextBlock = () => {
  const { list, intervalMs } = useStore(useChain().feed.state)
  const now = useNow() + useStore(useConsole().clockOffset)
  const head = list.rows[0]
  if (head === undefined) return <span>Waiting for the next block…</span>
  const { remainingMs } = countdown(Date.parse(head.timestamp), learnInterval(intervalMs, list.rows), now)
  return (
    <span>
      {remainingMs > 0 ? (
        <>
          The next block is due in <time>{clockface(remainingMs)}</time>.
        </>
      ) : (
        'The next block is being made…'
      )}
    </span>
  )
}

/** Its own words until the block was read, and when that failed. */
const InBlock = ({ blockId }: { blockId: string }) => {
  const carried = useDocument(carriedPath(blockId), { read: readCarried, freshMs })
  const height = carried.kind === 'found' ? carried.value.height : null
  return (
    <span>
      Its hash is part of{' '}
      <Link to={`/blocks/${blockId}`}>{height === null ? 'a block' : `block ${count(height)}`}</Link>.
    </span>
  )
}

const NextCommitment = ({ blockId }: { blockId: string }) => {
  const pulse = useStreamPulse('commitments', null)
  const carried = useDocument(carriedPath(blockId), { read: readCarried, freshMs, pulse })
  const commitments = carried.kind === 'found' ? carried.value.commitments : []
  return commitments.length === 0 ? (
    <NextEpoch />
  ) : (
    commitments.map((commitment) => <span key={commitment.id}>{wordsFor(commitment)}</span>)
  )
}

const carriedPath = (blockId: string): string => `/api/json/blocks/${blockId}?include=commitments`

type Carried = { readonly height: number | null; readonly commitments: readonly Commitment[] }

const readCarried = (document: JsonValue): Carried => ({
  height: numberOrNull(readDocument(document), 'height'),
  commitments: readCommitments(document),
})

const NextEpoch = () => {
  const now = useNow() + useStore(useConsole().clockOffset)
  const epochs = useDocument(epochsPath(FORECAST_FROM), { read: readEpochs, freshMs })
  const next = epochs.kind === 'found' ? nextEpochs(epochs.value)[0] : undefined
  if (next === undefined || next.dueAt <= now)
    return <span>Waiting for the next epoch to be written on a chain…</span>
  return (
    <span>
      The next epoch on {next.chain} {next.network} is due in about <time>{clockface(next.dueAt - now)}</time>
      .
    </span>
  )
}

const wordsFor = ({ chain, network, state, error }: Commitment): string => {
  const where = `${chain} ${network}`
  switch (state) {
    case 'pending':
      return `Its epoch is closed; the transaction for ${where} is being made.`
    case 'submitted':
      return `The transaction was sent to ${where}. Waiting for its confirmation.`
    case 'confirmed':
      return `${where} has confirmed it.`
    case 'failed':
      return `Writing to ${where} failed${error === null ? '' : `: ${error}`}. The service tries again.`
    default:
      return state satisfies never
  }
}
