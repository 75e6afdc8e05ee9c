// The first thing on the first page: an area to drop a file on. What becomes of the file is the caller's.
import './stamp.css'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { givenFiles, MOST_FILES, takeFiles } from '../data/given_files.ts'
import { toCheck } from '../hashing/looks_like_proof.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { droppedFiles } from '../ui/dropped_files.ts'
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

type StampDrop = {
  /** The proof and what came with it, to be checked. Null when a timestamp is wanted. */
  readonly checked: readonly File[] | null
  readonly take: (files: readonly File[]) => void
  readonly endCheck: () => void
}

export const useStampDrop = (onFiles: (files: readonly File[]) => void): StampDrop => {
  const [checked, setChecked] = useState<readonly File[] | null>(null)
  const take = useCallback(
    (files: readonly File[]): void => {
      if (files.length === 0) return
      void toCheck(files).then((found) => {
        if (found !== null) setChecked(found)
        else onFiles(files)
      })
    },
    [onFiles],
  )
  useWindowDrop({
    ...DROP_WORDS,
    // While something is checked, its own part takes what is dropped.
    take: (transfer) => void droppedFiles(transfer, MOST_FILES).then(({ files }) => take(files)),
  })
  useEffect(() => take(takeFiles(givenFiles)), [take])
  return { checked, take, endCheck: useCallback(() => setChecked(null), []) }
}
