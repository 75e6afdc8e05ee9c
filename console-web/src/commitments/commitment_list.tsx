// The commitments that carry a block: chain, state and transaction, with a warning for chains that prove
// nothing.
import './commitments.css'

import { Link } from 'wouter'
import { CopyButton } from '../ui/copy_button.tsx'
import { count, plural } from '../ui/format_count.ts'
import { localTime, utc } from '../ui/format_time.ts'
import { type Commitment, heightWord, isDevelopment } from './commitment.ts'
import { explorerLink } from './explorer.ts'
import { stateTone } from './proof_stage.ts'

export const CommitmentList = ({ commitments }: { commitments: readonly Commitment[] }) => (
  <>
    {commitments.length === 0 && <p className="card-note">No epoch that holds this block was closed yet.</p>}
    <ul className="commitments" data-testid="commitments">
      {commitments.map((commitment) => (
        <CommitmentLine key={commitment.id} commitment={commitment} />
      ))}
    </ul>
    {commitments.some(isDevelopment) && (
      <p className="notice" data-testid="development-chain">
        {commitments.every(isDevelopment)
          ? 'This service commits to a development chain inside itself (bitcoin regtest). It behaves like the real one, and proves nothing to outsiders.'
          : 'bitcoin regtest is a development chain inside the service. It proves nothing to outsiders.'}
      </p>
    )}
  </>
)

const CommitmentLine = ({ commitment }: { commitment: Commitment }) => {
  const { chain, network, state, transactionHash, confirmedAt, error, epoch } = commitment
  const height = commitment.ledger ?? commitment.blockHeight
  const explorer = transactionHash === null ? null : explorerLink(chain, network, transactionHash)
  return (
    <li>
      <p>
        <strong>
          {chain} {network}
        </strong>
        <span className="pill" data-tone={stateTone(state)}>
          {state}
        </span>
      </p>
      {transactionHash !== null && (
        <p className="field-code">
          <code>{transactionHash}</code>
          <CopyButton text={transactionHash} what="transaction" />
        </p>
      )}
      {explorer !== null && (
        <p>
          <a href={explorer} target="_blank" rel="noreferrer">
            Look at the transaction on {new URL(explorer).host}
          </a>
        </p>
      )}
      {isDevelopment(commitment) && transactionHash !== null && (
        <small>A development chain: nobody outside can look this transaction up.</small>
      )}
      {epoch !== null && (
        <small>
          Epoch {count(epoch.sequence)}: {plural(epoch.blocks, 'block')}, from{' '}
          <Link to={`/blocks/${epoch.firstId}`}>its first</Link> to{' '}
          <Link to={`/blocks/${epoch.lastId}`}>its last</Link>, under the root{' '}
          <code>{epoch.root.slice(0, 16)}…</code>
        </small>
      )}
      <small>
        {height !== null && `${heightWord(chain)} ${count(height)}`}
        {confirmedAt !== null && (
          <time dateTime={confirmedAt} title={localTime(confirmedAt)}>
            {height === null ? '' : ', '}confirmed {utc(confirmedAt)} UTC
          </time>
        )}
        {error !== null && ` ${error}`}
      </small>
    </li>
  )
}
