// The front door: a file is dropped here, with or without an account; and what this is, and the ways in. Where the public log
// is open to everybody, also what this browser has checked about the chain.
import { Link } from 'wouter'
import { isOpenToAll } from '../data/open_to_all.ts'
import { SignInCard } from '../door/sign_in_card.tsx'
import { Documents, GetAKey } from '../door/ways_on.tsx'
import { DoorPart } from '../stamp/stamp_place.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'

const LogLine = lazyPart(async () => (await import('../log/log_line.tsx')).LogLine)

export const DoorPage = () => (
  <>
    <title>Pharos</title>
    <main>
      <div className="side-by-side door-first" data-wide="left">
        <div className="door-what">
          <h1>Prove that a file existed today</h1>
          <DoorPart />
          {isOpenToAll('log') && (
            <div className="door-log">
              <LogLine />
            </div>
          )}
          <ol className="points door-lines">
            <li>You hand in the fingerprint of a file. The file itself stays with you.</li>
            <li>Fingerprints are gathered into signed blocks, each tied to the one before.</li>
            <li>
              A proof shows years later what was handed in and when. Checking it needs nobody’s word: drop it
              above with its file, or <Link to="/verify">verify it step by step</Link>.
            </li>
          </ol>
        </div>
        <SignInCard />
      </div>
      <GetAKey />
      <Documents />
    </main>
  </>
)
