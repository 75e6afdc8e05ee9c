// The front door: a file is dropped here, with or without an account; and what this is, and the ways in. Where the public log
// is open to everybody, also what this browser has checked about the chain.
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { openApi } from '../data/api_client.ts'
import { isOpenToAll } from '../data/open_to_all.ts'
import { DoorBar } from '../door/door_bar.tsx'
import { SignInCard } from '../door/sign_in_card.tsx'
import { Documents, GetAKey } from '../door/ways_on.tsx'
import type { Session } from '../session/session.ts'
import { keptStamp } from '../stamp/door_stamp.ts'
import { DropAnywhere } from '../stamp/drop_anywhere.tsx'
import { DropArea, useStampDrop } from '../stamp/drop_area.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

const Checked = lazyPart(async () => (await import('../stamp/checked.tsx')).Checked)
const DoorCard = lazyPart(async () => (await import('../stamp/door_card.tsx')).DoorCard)
const LogLineOf = lazyPart(async () => (await import('../log/log_line.tsx')).LogLineOf)

export const DoorPage = ({ session, message }: { session: Session; message: string | null }) => (
  <div className="door">
    <title>Pharos</title>
    <DoorBar />
    <main>
      <div className="door-first">
        <div className="door-what">
          <h1>Prove that a file existed today</h1>
          <DoorPart session={session} />
          {isOpenToAll('log') && (
            <div className="door-log">
              <LogLineOf files={openApi} />
            </div>
          )}
          <ol className="door-lines">
            <li>You hand in the fingerprint of a file. The file itself stays with you.</li>
            <li>Fingerprints are gathered into signed blocks, each tied to the one before.</li>
            <li>
              A proof shows years later what was handed in and when. Checking it needs nobody’s word: drop it
              above with its file, or <Link to="/verify">verify it step by step</Link>.
            </li>
          </ol>
        </div>
        <SignInCard session={session} message={message} />
      </div>
      <GetAKey />
      <Documents />
    </main>
    <DropAnywhere />
  </div>
)

/** Where a file is dropped. What becomes of it is loaded then. */
const DoorPart = ({ session }: { session: Session }) => {
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
