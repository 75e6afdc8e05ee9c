// What the page has checked about the chain, in one line. A break is shown as an alarm that links to its row.
import './beacons.css'

import { count, plural } from '../ui/format_count.ts'
import { localTime, utc } from '../ui/format_time.ts'
import type { CatchUp } from './beacon_feed.ts'
import type { ChainProof } from './beacon_list.ts'

type ChainProofLineProps = {
  readonly proof: ChainProof
  readonly catchUp: CatchUp | null
  readonly onOpen: (hash: string) => void
}

const reasons: Readonly<Record<ChainProof['breaks'][number]['why'], string>> = {
  link: 'its previous hash is not the hash of the beacon before it',
  hash: 'its hash is not the hash of its block, recomputed here',
  conflict: 'the service showed two different beacons under this id',
}

export const ChainProofLine = ({ proof, catchUp, onOpen }: ChainProofLineProps) => {
  const broken = proof.breaks[0]
  if (broken !== undefined)
    return (
      <div className="chain-proof broken" data-testid="chain-proof" data-state="broken" role="alert">
        <strong>Chain broken.</strong> Beacon of {utc(broken.beacon.timestamp)} UTC: {reasons[broken.why]}.{' '}
        <button type="button" className="text-button" onClick={() => onOpen(broken.beacon.hash)}>
          Show it
        </button>
        {proof.breaks.length > 1 && <span> {count(proof.breaks.length - 1)} more below.</span>}
      </div>
    )
  if (proof.since === null)
    return (
      <div className="chain-proof" data-testid="chain-proof" data-state="empty">
        Waiting for the first beacons.
      </div>
    )
  const pending = proof.unbroken - proof.recomputed
  return (
    <div className="chain-proof" data-testid="chain-proof" data-state={pending === 0 ? 'proven' : 'linked'}>
      <span className="chain-proof-mark" aria-hidden="true" />
      <span>
        Chain unbroken: <strong>{plural(proof.unbroken, 'beacon')}</strong> verified since{' '}
        <time dateTime={proof.since} title={localTime(proof.since)}>
          {utc(proof.since)} UTC
        </time>
        <small>
          {pending === 0
            ? 'every link and every block hash recomputed in this browser'
            : `every link checked · ${count(proof.recomputed)} block hashes recomputed, ${count(pending)} to go`}
        </small>
        {catchUp !== null && catchUp.count > 1 && (
          <small className="caught-up" data-testid="caught-up">
            {catchUp.done ? 'Caught up: ' : 'Catching up: '}
            {count(catchUp.count)} beacons came since {utc(catchUp.since)} UTC
            {catchUp.done && ', none missing'}
          </small>
        )}
      </span>
    </div>
  )
}
