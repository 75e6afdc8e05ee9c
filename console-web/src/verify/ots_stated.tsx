// What an .ots file states: the digest of a file, and the Bitcoin blocks that attest to it.
import { toHex } from '../../../shared/proof/bytes.ts'
import type { VerifiedOts } from './verify_given.ts'

export const OtsStated = ({ verified: { given, report } }: { verified: VerifiedOts }) => (
  <>
    <div className="wide">
      <dt>{given.read.hashType} of a file</dt>
      <dd>
        <code>{toHex(given.read.digest)}</code>
      </dd>
    </div>
    {report.blocks.map(({ height, merkleRoot, confirmedBy }) => (
      <div key={`${height} ${merkleRoot}`} className="wide">
        <dt>
          Bitcoin block {height}
          {confirmedBy === undefined
            ? ', not confirmed, must have Merkle root'
            : ' has, as you entered it, Merkle root'}
        </dt>
        <dd>
          <code>{merkleRoot}</code>
        </dd>
      </div>
    ))}
  </>
)
