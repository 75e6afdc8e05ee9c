// The front door: what this is, and the ways in. Where the public log is open to everybody, also the chain itself.

import { Link } from 'wouter'
import { Documents } from '../door/documents.tsx'
import { DoorBar } from '../door/door_bar.tsx'
import { GetAKey } from '../door/get_a_key.tsx'
import { isLogPublic } from '../door/is_log_public.ts'
import { SignInCard } from '../door/sign_in_card.tsx'
import type { Session } from '../session/session.ts'
import { lazyPart } from '../ui/lazy.tsx'

const LiveLog = lazyPart(async () => (await import('../door/live_log.tsx')).LiveLog)

export const DoorPage = ({ session, message }: { session: Session; message: string | null }) => (
  <div className="door">
    <title>Pharos</title>
    <DoorBar />
    <main>
      <div className="door-first">
        <div className="door-what">
          <h1>
            What existed, <br />
            and when
          </h1>
          <ol className="door-lines">
            <li>You hand in the hash of a file. The file itself stays with you.</li>
            <li>Hashes are gathered into signed blocks, each holding on to the one before.</li>
            <li>A proof shows years later what was handed in and when. Checking it needs nobody’s word.</li>
          </ol>
          <div className="door-acts">
            <Link to="/verify" className="button primary">
              Verify a proof
            </Link>
            <a href="#get-a-key" className="button">
              Get a key
            </a>
          </div>
        </div>
        <SignInCard session={session} message={message} />
      </div>
      {isLogPublic() && (
        <section className="live-log" aria-labelledby="live-log">
          <h2 id="live-log">The chain</h2>
          <LiveLog />
        </section>
      )}
      <GetAKey />
      <Documents />
    </main>
  </div>
)
