// A file while it is hashed: its name, the progress, its digest, and a button to cancel.
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy_button.tsx'
import { fileSize } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import type { FileHash } from './use_file_hash.ts'

type FileHashLineProps = {
  readonly state: Exclude<FileHash, { kind: 'none' }>
  readonly onCancel: () => void
}

export const FileHashLine = ({ state, onCancel }: FileHashLineProps) => (
  <div className="file-hash stack" data-kind={state.kind} data-testid="file-hash">
    <p className="file-hash-name">
      <strong>
        <Shown text={state.file.name} />
      </strong>{' '}
      <small>{fileSize(state.file.size)}</small>
      <Button look="quiet" onClick={onCancel}>
        {state.kind === 'hashing' ? 'Cancel' : 'Remove'}
      </Button>
    </p>
    {state.kind === 'hashing' && (
      <>
        <progress max={1} value={state.share} aria-label={`Hashing ${shownText(state.file.name)}`} />
        <small>
          {state.type}, {Math.floor(state.share * 100)} %. The file stays on this computer.
        </small>
      </>
    )}
    {state.kind === 'done' &&
      state.digests.map(({ type, hex }) => (
        <p key={type} className="field-code">
          <small>{type}</small>
          <code data-testid="file-hash-hex">{hex}</code>
          <CopyButton text={hex} what={type} />
        </p>
      ))}
    <Problem>{state.kind === 'failed' && state.why}</Problem>
  </div>
)
