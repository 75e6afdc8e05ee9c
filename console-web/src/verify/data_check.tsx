// Compares the digest in an item with a file on this computer or with a digest that the person enters.
import './verify.css'
import { useEffect } from 'react'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { FileDrop } from '../ui/file_drop.tsx'
import { shownText } from '../ui/shown_text.tsx'
import type { GivenProof } from './given_proof.ts'

type DataCheckProps = {
  readonly given: Extract<GivenProof, { kind: 'read' }>
  readonly expectedHash: string
  readonly onExpected: (hex: string) => void
}

export const DataCheck = ({ given: { facts, read }, expectedHash, onExpected }: DataCheckProps) => {
  const { state, start, cancel } = useFileHash()
  const hashed = state.kind === 'done' ? state.hex : null
  useEffect(() => {
    if (hashed !== null) onExpected(hashed)
  }, [hashed, onExpected])
  if (read.type !== 'item') return null
  const { claimedHash } = facts
  if (claimedHash === undefined)
    return (
      <section className="card" aria-labelledby="data-check">
        <h2 id="data-check">Your file</h2>
        <p className="card-note">
          This item claims words, not the digest of a file: there is nothing to compare.
        </p>
      </section>
    )
  const forget = (): void => {
    cancel()
    onExpected('')
  }
  return (
    <section className="card" aria-labelledby="data-check">
      <h2 id="data-check">Your file</h2>
      <p className="card-note">
        The item claims this {claimedHash.type}. Whether it is that of your file, only you can see:
      </p>
      <p className="claimed-hash">
        <code>{shownText(claimedHash.hex)}</code>
        <CopyButton text={claimedHash.hex} what={claimedHash.type} />
      </p>
      {state.kind === 'none' ? (
        <FileDrop
          quiet
          caption="Compare a file"
          testId="data-file"
          onFile={(file) => start(file, claimedHash.type)}
        />
      ) : (
        <FileHashLine state={state} onCancel={forget} />
      )}
      {state.kind === 'none' && (
        <label className="labelled">
          or compare a digest
          <input
            type="text"
            data-testid="expected-hash"
            value={expectedHash}
            onChange={(event) => onExpected(event.target.value)}
            placeholder={claimedHash.type}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      )}
    </section>
  )
}
