// The first part of the first page of somebody who is signed in: where a file is dropped. What becomes of it is loaded then.
import { useCallback, useState } from 'react'
import { keepDraft, readDraft } from '../data/kept/draft.ts'
import { textAt } from '../data/shape.ts'
import { lazyPart } from '../ui/load/lazy.tsx'
import { hasUnstamped, keepStamp, keptStamp } from './door_stamp.ts'
import { StampPlace } from './stamp_place.tsx'

const Stamped = lazyPart(async () => (await import('./stamped.tsx')).Stamped)
const FollowedItem = lazyPart(async () => (await import('./followed_item.tsx')).FollowedItem)
const StampCard = lazyPart(async () => (await import('./stamp_card.tsx')).StampCard)

export const StampPart = ({ size }: { size: 'large' | 'small' }) => {
  const [given, setGiven] = useState<readonly File[] | null>(() => (isBegun() ? NO_FILES : null))
  /** What was stamped before the sign-in: nobody else has its receipt. */
  const [stamped, setStamped] = useState(keptStamp)
  const [followed, setFollowed] = useState(() => readDraft(FOLLOWED, readId))
  const follow = useCallback((id: string | null): void => {
    keepDraft(FOLLOWED, { id })
    setFollowed(id)
    setGiven(null)
  }, [])
  return (
    <StampPlace size={size} onFiles={setGiven}>
      {given !== null ? (
        <StampCard given={given} onHandedIn={follow} onEnd={() => setGiven(null)} />
      ) : followed !== null ? (
        <FollowedItem key={followed} id={followed} onAnother={() => follow(null)} />
      ) : stamped?.receipt != null ? (
        <div className="card form-grid">
          <Stamped
            name={stamped.name}
            text={stamped.receipt}
            onAnother={() => {
              keepStamp(null)
              setStamped(null)
            }}
          />
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
const isBegun = (): boolean => hasUnstamped() || readDraft('items', (kept) => textAt(kept, 'way')) === 'files'
