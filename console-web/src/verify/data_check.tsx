// Compares what a proof is about with a file on this computer, or with a digest that the person enters.
import './verify.css'
import { useEffect, useMemo } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { FileDrop } from '../ui/file_drop.tsx'
import { plural } from '../ui/format_count.ts'
import { shownText } from '../ui/shown_text.tsx'
import { type FileQuestion, fileQuestion, type ReadProof } from './given_proof.ts'
import { type GivenDigest, NO_DIGESTS } from './verify_given.ts'

type DataCheckProps = {
  readonly given: ReadProof
  /** A file that was given together with the proof. */
  readonly file: File | null
  readonly digests: readonly GivenDigest[]
  readonly onDigests: (digests: readonly GivenDigest[]) => void
}

export const DataCheck = ({ given, ...compared }: DataCheckProps) => {
  // The same as long as the proof is, so that a file is not hashed again.
  const question = useMemo(() => fileQuestion(given), [given])
  if (question === undefined) return null
  return (
    <section className="card" aria-labelledby="data-check">
      <h2 id="data-check">Your file</h2>
      <Asked question={question} />
      {question.kind !== 'nothing' && <Compare types={question.types} {...compared} />}
    </section>
  )
}

const Asked = ({ question }: { question: FileQuestion }) => {
  switch (question.kind) {
    case 'nothing':
      return <p className="card-note">{question.why}</p>
    case 'entry':
      return (
        <p className="card-note">
          The manifest lists {plural(question.entries, 'file')}. Whether yours is one of them, only you can
          see:
        </p>
      )
    case 'digest':
      return (
        <>
          <p className="card-note">
            {question.whose} this {question.types[0]}. Whether it is that of your file, only you can see:
          </p>
          <p className="claimed-hash">
            <code>{shownText(question.hex)}</code>
            <CopyButton text={question.hex} what={question.types[0]} />
          </p>
        </>
      )
    default:
      return question satisfies never
  }
}

type CompareProps = Omit<DataCheckProps, 'given'> & { readonly types: readonly HashType[] }

const Compare = ({ types, file, digests, onDigests }: CompareProps) => {
  const { state, start, cancel } = useFileHash()
  const hashed = state.kind === 'done' ? state.digests : null
  useEffect(() => {
    if (hashed !== null) onDigests(hashed)
  }, [hashed, onDigests])
  useEffect(() => {
    if (file !== null) start(file, types)
  }, [file, types, start])
  const forget = (): void => {
    cancel()
    onDigests(NO_DIGESTS)
  }
  if (state.kind !== 'none') return <FileHashLine state={state} onCancel={forget} />
  return (
    <>
      <FileDrop quiet caption="Compare a file" testId="data-file" onFile={(one) => start(one, types)} />
      <label className="labelled">
        or compare a digest
        <input
          type="text"
          data-testid="expected-hash"
          value={digests[0]?.hex ?? ''}
          onChange={({ target: { value: hex } }) => onDigests(hex.trim() === '' ? NO_DIGESTS : [{ hex }])}
          placeholder={types.join(' or ')}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
    </>
  )
}
