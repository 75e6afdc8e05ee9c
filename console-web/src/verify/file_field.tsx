// The field of the file that a proof is about, on this computer, or of a digest in its place.
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { Button } from '../ui/button.tsx'
import { Command } from '../ui/copy_button.tsx'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { InputField } from '../ui/form/form_field.tsx'
import { fileSize, plural } from '../ui/format.ts'
import { Card } from '../ui/section.tsx'
import { Shown } from '../ui/shown_text.tsx'
import type { FileQuestion } from './read_proof.ts'
import type { Verification } from './use_verification.ts'

export const FileField = ({ proof, file, hash, takeFile, takeAny, typed, setTyped }: Verification) => {
  const question = proof && (proof.question ?? ABOUT_NO_FILE)
  return (
    <Card title="Your file" className="verify-field" data-filled={file !== null}>
      {hash.kind !== 'none' ? (
        <FileHashLine state={hash} onCancel={() => takeFile(null)} />
      ) : file !== null ? (
        <div className="stack">
          <p>
            <strong>
              <Shown text={file.name} />
            </strong>{' '}
            <small>{fileSize(file.size)}</small>
          </p>
          <p className="card-note">{question?.kind === 'nothing' ? question.why : 'Now its proof.'}</p>
          <Button onClick={() => takeFile(null)}>Remove</Button>
        </div>
      ) : question?.kind === 'nothing' ? (
        <p className="card-note">{question.why}</p>
      ) : (
        <>
          <FileDrop
            caption="Choose the file"
            testId="data-file"
            onFile={(one, others) => (question === null ? takeAny([one, ...others]) : takeFile(one))}
          >
            <p>
              <strong>Drop the file here</strong>
              <small>It stays on this computer, and is compared with what the proof is about</small>
            </p>
          </FileDrop>
          {question !== null && <Instead question={question} typed={typed} setTyped={setTyped} />}
        </>
      )}
    </Card>
  )
}

const ABOUT_NO_FILE: FileQuestion = { kind: 'nothing', why: 'This proof is about no file.' }

type InsteadProps = Pick<Verification, 'typed' | 'setTyped'> & {
  readonly question: Exclude<FileQuestion, { kind: 'nothing' }>
}

/** For who has the digest of the file, and not the file. */
const Instead = ({ question, typed, setTyped }: InsteadProps) => (
  <details className="fold" open={typed !== ''}>
    <summary>Compare a digest instead</summary>
    {question.kind === 'entry' ? (
      <p className="card-note">The manifest lists {plural(question.entries, 'file')}.</p>
    ) : (
      <>
        <p className="card-note">
          {question.whose} this {question.types[0]}:
        </p>
        <Command text={question.hex} what={question.types[0]} />
      </>
    )}
    <InputField
      label="The digest of your file"
      testId="expected-hash"
      value={typed}
      onText={setTyped}
      placeholder={question.types.join(' or ')}
      spellCheck={false}
    />
  </details>
)
