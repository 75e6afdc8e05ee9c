// After a sign-out, for a few seconds: takes it back.
import { useEffect, useRef } from 'react'
import { useStore } from '../data/store.ts'
import type { Session } from '../session/session.ts'
import { Button } from '../ui/button.tsx'

export const LeftNote = ({ session }: { session: Session }) => {
  const leaving = useStore(session.leaving)
  const undo = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The menu that the focus was in is gone.
    if (leaving !== null) undo.current?.focus({ preventScroll: true })
  }, [leaving])
  if (leaving === null) return null
  return (
    <div className="low-note" role="status">
      <span>You are signed out.</span>
      <Button ref={undo} onClick={leaving.comeBack} data-testid="undo-sign-out">
        Undo
      </Button>
    </div>
  )
}
