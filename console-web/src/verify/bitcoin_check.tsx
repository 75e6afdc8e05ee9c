// Which Merkle root a Bitcoin block must have for an .ots file to hold. This page asks nobody, so the person looks it up at a
// node or an explorer, and enters it.
import './verify.css'
import { CopyButton } from '../ui/copy_button.tsx'
import type { Verification } from './use_verification.ts'
import type { VerifiedOts } from './verify_given.ts'

type BitcoinCheckProps = Pick<Verification, 'merkleRoots' | 'setMerkleRoot'> & {
  readonly verified: VerifiedOts
}

export const BitcoinCheck = ({ verified: { report }, merkleRoots, setMerkleRoot }: BitcoinCheckProps) =>
  report.blocks.length > 0 && (
    <section className="card" aria-labelledby="bitcoin-check">
      <h2 id="bitcoin-check">What Bitcoin says</h2>
      <p className="card-note">
        Look the block up by its height, at a node or an explorer that you trust, and compare its Merkle root.
      </p>
      {report.blocks.map(({ height, merkleRoot }) => (
        <div key={`${height} ${merkleRoot}`}>
          <p className="claimed-hash">
            <code>{merkleRoot}</code>
            <CopyButton text={merkleRoot} what="Merkle root" />
          </p>
          <label className="labelled">
            Merkle root of Bitcoin block {height}
            <input
              type="text"
              data-testid="merkle-root"
              value={merkleRoots.get(height) ?? ''}
              onChange={(event) => setMerkleRoot(height, event.target.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </label>
        </div>
      ))}
    </section>
  )
