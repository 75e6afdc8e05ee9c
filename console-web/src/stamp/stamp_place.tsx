// The first thing on the first page: a place to drop a file on. A proof is checked there; what becomes of other files is the
// caller's.
import './stamp.css'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { givenFiles, takeFiles } from '../data/given_files.ts'
import { useStore } from '../data/store.ts'
import { toCheck } from '../hashing/looks_like_proof.ts'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

const Checked = lazyPart(async () => (await import('./checked.tsx')).Checked)

type StampPlaceProps = {
  /** Beside other parts of the page, or as its first one. */
  readonly size: 'large' | 'small'
  readonly onFiles: (files: readonly File[]) => void
  /** What became of the last file, in place of the area. Null when there is nothing to show. */
  readonly children: ReactNode
}

export const StampPlace = ({ size, onFiles, children }: StampPlaceProps) => {
  /** A proof and what came with it. */
  const [checked, setChecked] = useState<readonly File[] | null>(null)
  const given = useStore(givenFiles)
  const take = useEffectEvent(async (files: readonly File[]): Promise<void> => {
    const found = await toCheck(files)
    if (found === null) onFiles(files)
    else setChecked(found)
  })
  useEffect(() => {
    if (given.length > 0) void take(takeFiles(givenFiles))
  }, [given])
  const isFilled = checked !== null || children !== null
  return (
    <section
      className="stamp"
      data-size={isFilled ? 'large' : size}
      aria-label="Timestamp a file"
      data-testid="stamp"
    >
      {checked !== null ? (
        <Checked files={checked} onEnd={() => setChecked(null)} />
      ) : (
        (children ?? <DropArea size={size} />)
      )}
    </section>
  )
}

const DropArea = ({ size }: Pick<StampPlaceProps, 'size'>) => (
  <div className="drop-area" data-size={size}>
    <FileDrop
      several
      isMain={size === 'large'}
      caption={size === 'large' ? 'Choose a file' : 'Timestamp a file'}
      testId="stamp-file"
      onFile={(file, others) => givenFiles.write([file, ...others])}
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
  </div>
)
