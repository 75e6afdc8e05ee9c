// The commitments that carry a block: chain, state and transaction. A chain that proves nothing says so.
import './commitments.css'
import { Link } from 'wouter'
import { CopyButton } from '../ui/copy_button.tsx'
import { capital, count, dayAndTime, plural } from '../ui/format.ts'
import { Pill } from '../ui/pill.tsx'
import { Time } from '../ui/time.tsx'
import { type Commitment, heightWord, isDevelopment } from './commitment.ts'
import { chainName } from './epoch.ts'

const TONES = { confirmed: 'good', submitted: 'busy', pending: 'busy', failed: 'bad' } as const

export const CommitmentList = ({ commitments }: { commitments: readonly Commitment[] }) => (
  <>
    {commitments.length === 0 && <p className="card-note">No epoch that holds this block was closed yet.</p>}
    <ul className="commitments stack" data-testid="commitments">
      {commitments.map((commitment) => (
        <CommitmentLine key={commitment.id} commitment={commitment} />
      ))}
    </ul>
  </>
)

const CommitmentLine = ({ commitment }: { commitment: Commitment }) => {
  const { chain, network, state, transactionHash, confirmedAt, error, epoch } = commitment
  const height = commitment.ledger ?? commitment.blockHeight
  const explorer = transactionHash === null ? null : explorerLink(chain, network, transactionHash)
  return (
    <li className="box stack">
      <p className="line">
        <strong>{capital(chainName(commitment))}</strong>
        <Pill tone={TONES[state]}>{state}</Pill>
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
      {isDevelopment(commitment) && (
        <small data-testid="development-chain">
          Inside this service. Nobody outside can look at it, so it proves nothing to outsiders.
        </small>
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
          <Time at={confirmedAt}>
            {height === null ? '' : ', '}confirmed on {dayAndTime(confirmedAt)}
          </Time>
        )}
        {error !== null && ` ${error}`}
      </small>
    </li>
  )
}

/** Where the public can look at a transaction. Followed by people only: the page asks these places nothing. */
const PLACES: Readonly<Record<string, string>> = {
  'bitcoin mainnet': 'https://blockstream.info/tx/',
  'bitcoin testnet': 'https://blockstream.info/testnet/tx/',
  'stellar public': 'https://stellar.expert/explorer/public/tx/',
  'stellar testnet': 'https://stellar.expert/explorer/testnet/tx/',
}

/** Null for a chain without a public place, such as a development chain. */
export const explorerLink = (chain: string, network: string, transactionHash: string): string | null => {
  const place = PLACES[`${chain} ${network}`]
  return place === undefined || !/^[0-9a-f]{64}$/.test(transactionHash) ? null : place + transactionHash
}
