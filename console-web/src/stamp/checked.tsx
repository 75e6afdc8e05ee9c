// A proof that was dropped on the first page, with or without its file: one sentence, and a mark.
import { useLocation } from 'wouter'
import { handedOver } from '../data/given_files.ts'
import { Button } from '../ui/button.tsx'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { count } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { useVerification } from '../verify/use_verification.ts'
import { VerdictPlate } from '../verify/verdict_plate.tsx'

type CheckedProps = { readonly files: readonly File[]; readonly onEnd: () => void }

export const Checked = ({ files, onEnd }: CheckedProps) => {
  const [, navigate] = useLocation()
  const { taken, given, proof, file, verified, takeFile } = useVerification({ files })
  const question = proof?.question
  const isFileWanted = file === null && question !== undefined && question.kind !== 'nothing'
  const showAll = (): void => {
    handedOver.write({ ...taken, about: file ?? taken.about })
    navigate('/verify')
  }
  return (
    <div className="form-grid" data-testid="checked">
      {given?.kind === 'reading' && <p role="status">{count(given.entries)} entries read so far…</p>}
      <Problem>{given?.kind === 'unreadable' && given.why}</Problem>
      {verified !== null && <VerdictPlate verified={verified} isShort />}
      {isFileWanted && (
        <FileDrop caption="Choose the file" testId="checked-file" onFile={takeFile}>
          <p>
            <strong>Drop the file that it is about</strong>
            <small>It stays on this computer.</small>
          </p>
        </FileDrop>
      )}
      <div className="acts">
        <Button onClick={showAll}>Every step</Button>
        <Button data-testid="check-end" onClick={onEnd}>
          Done
        </Button>
      </div>
    </div>
  )
}
