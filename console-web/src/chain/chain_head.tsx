// What stands above the rows of the chain: what was checked of them, and the pause.
import './chain.css'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import type { ChainProof } from '../beacons/beacon_list.ts'
import { useChain } from '../beacons/chain_context.ts'
import { ChainProofLine } from '../beacons/chain_proof_line.tsx'
import { useStore } from '../data/use_store.ts'
import type { OlderPages } from '../ui/older_line.tsx'
import { PauseControls } from '../ui/pause_controls.tsx'

type ChainHeadProps = {
  /** The rows are those of a range of time, and none comes live. */
  readonly isRange: boolean
  readonly rows: readonly Beacon[]
  readonly older: OlderPages
  readonly proof: ChainProof
  /** Rows that the pause holds back. */
  readonly unseen: number
  readonly onOpen: (hash: string) => void
  readonly onTogglePause: () => void
}

export const ChainHead = ({ isRange, rows, older, proof, unseen, onOpen, onTogglePause }: ChainHeadProps) => {
  const { feed } = useChain()
  const { catchUp, pausedAt } = useStore(feed.state)
  return (
    <div className="chain-head">
      {isRange && rows.length === 0 ? (
        <p className="chain-proof">{EMPTY_WORDS[older.kind]}</p>
      ) : (
        <ChainProofLine proof={proof} catchUp={isRange ? null : catchUp} onOpen={onOpen} />
      )}
      {!isRange && (
        <PauseControls
          paused={pausedAt !== null}
          unseen={unseen}
          onToggle={onTogglePause}
          onShowNew={() => {
            feed.showNew()
            window.scrollTo({ top: 0 })
          }}
        />
      )}
    </div>
  )
}

/** Why the failure is stands below the rows. */
const EMPTY_WORDS: Readonly<Record<OlderPages['kind'], string>> = {
  unknown: 'Reading the range…',
  idle: 'Reading the range…',
  loading: 'Reading the range…',
  failed: 'The range could not be read.',
  bounded: 'No block lies in this range.',
  end: 'No block lies in this range.',
}
