// The first thing on the first page: an area to drop a file on. What becomes of the file is the caller's.
import './stamp.css'
import type { ReactNode } from 'react'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { Icon } from '../ui/icon.tsx'

type DropAreaProps = {
  /** Beside other parts of the page, or as its first one. */
  readonly size: 'large' | 'small'
  readonly onFiles: (files: readonly File[]) => void
  readonly children?: ReactNode
}

export const DropArea = ({ size, onFiles, children }: DropAreaProps) => (
  <div className="drop-area" data-size={size}>
    <FileDrop
      several
      isMain={size === 'large'}
      caption={size === 'large' ? 'Choose a file' : 'Timestamp a file'}
      testId="stamp-file"
      onFile={(file, others) => onFiles([file, ...others])}
    >
      {size === 'large' && (
        <>
          <Icon name="file" />
          <p>
            <strong>Drop a file: get a timestamp</strong>
            <small>The file stays here. Only its fingerprint leaves this computer.</small>
          </p>
        </>
      )}
    </FileDrop>
    {children}
  </div>
)

/** Said while a file is held above the page. */
export const DROP_WORDS = {
  words: 'Drop it: get a timestamp',
  note: 'Only its fingerprint leaves this computer. A proof is checked instead.',
} as const
