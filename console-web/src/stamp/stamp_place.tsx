// The first thing on the first page: a place to drop a file on, for somebody who is signed in, and for everybody else. What
// becomes of a file is loaded then. A proof is checked there.
import './stamp.css'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { givenFiles, takeFiles } from '../data/given_files.ts'
import { keepDraft, readDraft } from '../data/kept/draft.ts'
import { textAt } from '../data/shape.ts'
import { useStore } from '../data/store.ts'
import { isToCheck } from '../hashing/looks_like_proof.ts'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { Icon } from '../ui/icon.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { doorStamp, giveWay } from './door_stamp.ts'

const Checked = lazyPart(async () => (await import('./checked.tsx')).Checked)
const DoorCard = lazyPart(async () => (await import('./door_card.tsx')).DoorCard)
const FollowedItem = lazyPart(async () => (await import('./followed_item.tsx')).FollowedItem)
const StampCard = lazyPart(async () => (await import('./stamp_card.tsx')).StampCard)
const Stamped = lazyPart(async () => (await import('./stamped.tsx')).Stamped)

/** Of somebody who is signed in. */
export const StampPart = ({ size }: Pick<StampPlaceProps, 'size'>) => {
  const [given, setGiven] = useState<readonly File[] | null>(() => (isBegun() ? NO_FILES : null))
  /** What was stamped before the sign-in: nobody else has its receipt. */
  const stamped = useStore(doorStamp)
  const [followed, setFollowed] = useState(() => readDraft(FOLLOWED, readId))
  const follow = (id: string | null): void => {
    keepDraft(FOLLOWED, { id })
    setFollowed(id)
    setGiven(null)
  }
  return (
    <StampPlace size={size} onFiles={setGiven}>
      {given !== null ? (
        <StampCard given={given} onHandedIn={follow} onEnd={() => setGiven(null)} />
      ) : followed !== null ? (
        <FollowedItem key={followed} id={followed} onAnother={() => follow(null)} />
      ) : stamped !== null && stamped.receipt !== null ? (
        <div className="card form-grid">
          <Stamped name={stamped.name} text={stamped.receipt} />
        </div>
      ) : null}
    </StampPlace>
  )
}

/** The item that the card follows, as the tab keeps it. */
const FOLLOWED = 'followed'
const readId = (kept: unknown): string | null => textAt(kept, 'id')

const NO_FILES: readonly File[] = []

/** Files were given before this page was opened, here or before the sign-in. */
const isBegun = (): boolean =>
  doorStamp.read()?.receipt === null || readDraft('items', (kept) => textAt(kept, 'way')) === 'files'

export const DoorPart = () => {
  const [file, setFile] = useState<File | null>(null)
  const [isOneOfMany, setOneOfMany] = useState(false)
  const stamp = useStore(doorStamp)
  const begin = (files: readonly File[]): void => {
    giveWay()
    setFile(files[0] ?? null)
    setOneOfMany(files.length > 1)
  }
  return (
    <StampPlace size="large" onFiles={begin}>
      {file === null && stamp === null ? null : (
        <DoorCard file={file} setFile={setFile} isOneOfMany={isOneOfMany} />
      )}
    </StampPlace>
  )
}

type StampPlaceProps = {
  /** Beside other parts of the page, or as its first one. */
  readonly size: 'large' | 'small'
  readonly onFiles: (files: readonly File[]) => void
  /** What became of the last file, in place of the area. Null when there is nothing to show. */
  readonly children: ReactNode
}

const StampPlace = ({ size, onFiles, children }: StampPlaceProps) => {
  /** A proof and what came with it. */
  const [checked, setChecked] = useState<readonly File[] | null>(null)
  const given = useStore(givenFiles)
  const take = useEffectEvent(async (files: readonly File[]): Promise<void> => {
    if (await isToCheck(files)) setChecked(files)
    else onFiles(files)
  })
  useEffect(() => {
    if (given.length > 0) void take(takeFiles())
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
