// Files of somebody who is signed in, from the digest to the proof: hashed here, handed in with one press, and followed.
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { EMPTY_DRAFT } from '../items/draft.ts'
import { NewItemsForm, Unanswered } from '../items/new_items_form.tsx'
import { useNewItems } from '../items/use_new_items.ts'
import { TrialNote } from '../proofs/timeline.tsx'
import { Button } from '../ui/button.tsx'
import { plural } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { takeUnstamped } from './door_stamp.ts'

type StampCardProps = {
  /** Files that were given since the last. */
  readonly given: readonly File[]
  /** The only file became this item. */
  readonly onHandedIn: (id: string) => void
  readonly onEnd: () => void
}

export const StampCard = ({ given, onHandedIn, onEnd }: StampCardProps) => {
  const items = useNewItems(onHandedIn)
  const { addFiles, addHashed, draft, forget } = items
  const added = useRef<readonly File[] | null>(null)
  useEffect(() => {
    if (added.current === given) return
    added.current = given
    // What was handed in is over, with all that was said of it: who drops others begins anew.
    const isOver = draft.sent !== null && draft.sent.outcomes !== null
    if (given.length > 0) addFiles(given, isOver ? EMPTY_DRAFT : {})
    const stamp = takeUnstamped()
    if (stamp !== null) addHashed(stamp)
  }, [given, draft, addFiles, addHashed])
  const end = (): void => {
    forget()
    onEnd()
  }
  if (draft.sent === null)
    return (
      <>
        <TrialNote />
        <NewItemsForm items={items} isWhole={false} onClear={end} />
      </>
    )
  const { outcomes } = draft.sent
  if (outcomes === null) return <Unanswered items={items} />
  const [first] = outcomes
  return (
    <div className="spread">
      {outcomes.length === 1 ? (
        <Problem>{first !== undefined && 'why' in first && first.why}</Problem>
      ) : (
        <p>
          <strong>{plural(outcomes.filter((one) => 'id' in one).length, 'file')} handed in.</strong>{' '}
          <Link to="/items/new">See how far each is</Link>
        </p>
      )}
      <Button data-testid="another" onClick={end}>
        Timestamp another
      </Button>
    </div>
  )
}
