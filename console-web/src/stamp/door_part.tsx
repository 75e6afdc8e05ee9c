// The first part of the front door: where a file is dropped by somebody who is not signed in. What becomes of it is loaded
// then.
import './stamp.css'
import { useCallback, useState } from 'react'
import type { Session } from '../session/session.ts'
import { lazyPart } from '../ui/load/lazy.tsx'
import { keptStamp } from './door_stamp.ts'
import { DropArea, useStampDrop } from './drop_area.tsx'

const Checked = lazyPart(async () => (await import('./checked.tsx')).Checked)
const DoorCard = lazyPart(async () => (await import('./door_card.tsx')).DoorCard)

export const DoorPart = ({ session }: { session: Session }) => {
  const [file, setFile] = useState<File | null>(null)
  const [isOpen, setOpen] = useState(() => keptStamp() !== null)
  const { checked, take, endCheck } = useStampDrop(
    useCallback(([first]: readonly File[]) => {
      setFile(first ?? null)
      setOpen(true)
    }, []),
  )
  const end = useCallback(() => {
    setFile(null)
    setOpen(false)
  }, [])
  return (
    <section className="stamp" data-size="large" aria-label="Timestamp a file" data-testid="stamp">
      {checked !== null ? (
        <Checked files={checked} onEnd={endCheck} />
      ) : isOpen ? (
        <DoorCard file={file} session={session} onEnd={end} />
      ) : (
        <DropArea size="large" onFiles={take} />
      )}
    </section>
  )
}
