// The Merkle roots of the Bitcoin blocks that an .ots file names. This page asks nobody, so the person looks them up at a node or
// an explorer, and enters them. The root that the file needs is not offered here: entered, it would confirm itself.
import './verify.css'
import { Card } from '../ui/section.tsx'
import type { Verification } from './use_verification.ts'
import type { VerifiedOts } from './verify_given.ts'

type BitcoinCheckProps = Pick<Verification, 'merkleRoots' | 'setMerkleRoot'> & {
  readonly verified: VerifiedOts
}

export const BitcoinCheck = ({ verified: { report }, merkleRoots, setMerkleRoot }: BitcoinCheckProps) => {
  const heights = [...new Set(report.blocks.map(({ height }) => height))]
  return (
    heights.length > 0 && (
      <Card title="What Bitcoin says">
        <p className="card-note">
          Look the block up by its height, at a node or an explorer that you trust, and enter the Merkle root
          that you find there. This page compares it and asks nobody.
        </p>
        {heights.map((height) => (
          <label key={height} className="labelled">
            Merkle root of Bitcoin block {height}
            <input
              type="text"
              value={merkleRoots.get(height) ?? ''}
              onChange={(event) => setMerkleRoot(height, event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </label>
        ))}
      </Card>
    )
  )
}
