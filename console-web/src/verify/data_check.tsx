// Compares what a proof is about with a file on this computer, or with a digest that the person enters.
import './verify.css'
import { useEffect } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { CopyButton } from '../ui/copy_button.tsx'
import { FileDrop } from '../ui/file_drop.tsx'
import { plural } from '../ui/format_count.ts'
import { shownText } from '../ui/shown_text.tsx'
import { type FileQuestion, fileQuestion, type ReadProof } from './given_proof.ts'

type DataCheckProps = {
  readonly given: ReadProof
  /** A file that was given together with the proof. */
  readonly file: File | null
  readonly expectedHash: string
  readonly onExpected: (hex: string) => void
}

export const DataCheck = ({ given, ...compared }: DataCheckProps) => {
  const question = fileQuestion(given)
  if (question === undefined) return null
  return (
    <section className="card" aria-labelledby="data-check">
      <h2 id="data-check">Your file</h2>
      <Asked question={question} />
      {question.kind !== 'nothing' && <Compare type={question.type} {...compared} />}
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
            {question.whose} this {question.type}. Whether it is that of your file, only you can see:
          </p>
          <p className="claimed-hash">
            <code>{shownText(question.hex)}</code>
            <CopyButton text={question.hex} what={question.type} />
          </p>
        </>
      )
    default:
      return question satisfies never
  }
}

type CompareProps = Omit<DataCheckProps, 'given'> & { readonly type: HashType }

const Compare = ({ type, file, expectedHash, onExpected }: CompareProps) => {
  const { state, start, cancel } = useFileHash()
  const hashed = state.kind === 'done' ? state.hex : null
  useEffect(() => {
    if (hashed !== null) onExpected(hashed)
  }, [hashed, onExpected])
  useEffect(() => {
    if (file !== null) start(file, type)
  }, [file, type, start])
  const forget = (): void => {
    cancel()
    onExpected('')
  }
  if (state.kind !== 'none') return <FileHashLine state={state} onCancel={forget} />
  return (
    <>
      <FileDrop quiet caption="Compare a file" testId="data-file" onFile={(one) => start(one, type)} />
      <label className="labelled">
        or compare a digest
        <input
          type="text"
          data-testid="expected-hash"
          value={expectedHash}
          onChange={(event) => onExpected(event.target.value)}
          placeholder={type}
          autoComplete="off"
          spellCheck={false}
        />
      </label>
    </>
  )
}
