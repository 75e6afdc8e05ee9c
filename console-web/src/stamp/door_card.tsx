// A file of somebody who is not signed in, from the digest to the evidence: stamped without an account where that door is
// open, and otherwise kept until somebody has signed in.
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { MOST_FILES } from '../data/given_files.ts'
import { isOpenToAll } from '../data/open_to_all.ts'
import { openQueries } from '../data/queries.ts'
import { useStore } from '../data/store.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { TrialNote } from '../proofs/timeline.tsx'
import { session } from '../session/session.ts'
import { Button, type Look } from '../ui/button.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { fileSize } from '../ui/format.ts'
import { Shown } from '../ui/shown_text.tsx'
import { type DoorStamp, doorStamp } from './door_stamp.ts'
import { askForReceipt, stampRequest } from './receipt.ts'
import { Stamped } from './stamped.tsx'

type DoorCardProps = {
  /** Null once its digest is kept. */
  readonly file: File | null
  readonly setFile: (file: null) => void
  /** Others were given with it. They are not kept. */
  readonly isOneOfMany: boolean
}

export const DoorCard = ({ file, setFile, isOneOfMany }: DoorCardProps) => {
  const [queries] = useState(openQueries)
  const stamp = useStore(doorStamp)
  const state = useFileHash(file, ['sha256'])
  useEffect(() => {
    if (state.kind !== 'done' || state.digests[0] === undefined) return
    const { name, size } = state.file
    doorStamp.write({ name, size, hex: state.digests[0].hex, receipt: null })
    setFile(null)
  }, [state, setFile])
  return (
    <QueryClientProvider client={queries}>
      <div className="card form-grid">
        {isOneOfMany && (
          <p className="notice" role="status">
            Without an account, one file at a time. The others were left out: sign in to hand in up to{' '}
            {MOST_FILES} at once.
          </p>
        )}
        {stamp === null ? (
          state.kind !== 'none' && <FileHashLine state={state} onCancel={() => setFile(null)} />
        ) : stamp.receipt === null ? (
          <Ready stamp={stamp} />
        ) : (
          <Stamped name={stamp.name} text={stamp.receipt} />
        )}
      </div>
    </QueryClientProvider>
  )
}

const Ready = ({ stamp }: { stamp: DoorStamp }) => {
  const isOpen = isOpenToAll('stamp')
  return (
    <>
      <h2>
        <Shown text={stamp.name} /> <small>{fileSize(stamp.size)}</small>
      </h2>
      <TrialNote />
      <section aria-labelledby="outgoing" data-testid="outgoing">
        <h3 id="outgoing">What leaves this browser</h3>
        <p className="card-note">
          {isOpen
            ? 'Only this fingerprint of the file. The file and its name stay here.'
            : 'Nothing yet. After the sign-in only the name and this fingerprint of the file; the file stays here.'}
        </p>
        <pre className="snippet">
          <code>
            {JSON.stringify(isOpen ? stampRequest(stamp) : { name: stamp.name, sha256: stamp.hex }, null, 2)}
          </code>
        </pre>
      </section>
      <div className="acts main">
        {isOpen ? (
          <ActButton
            caption="Timestamp"
            running="A moment…"
            look="primary"
            testId="stamp-submit"
            failureId="stamp-failure"
            act={async ({ signal }) =>
              doorStamp.write({ ...stamp, receipt: await askForReceipt(stamp, signal) })
            }
          />
        ) : (
          <SignIn look="primary">Sign in and timestamp</SignIn>
        )}
        <Button onClick={() => doorStamp.write(null)}>Another file</Button>
      </div>
      {isOpen && (
        <p className="fine-print">
          Without an account it belongs to nobody, and you keep the only copy of the evidence. Or{' '}
          <SignIn look="text">sign in</SignIn> and have it in your list.
        </p>
      )}
    </>
  )
}

/** Who cannot go to the sign-in pages from here is led to the field for a key. */
const SignIn = ({ look, children }: { look: Look; children: string }) => (
  <Button
    look={look}
    data-testid="stamp-sign-in"
    onClick={() => {
      if (window.isSecureContext) void session.signInWithAccount()
      else document.querySelector<HTMLInputElement>('[data-testid="key-input"]')?.focus()
    }}
  >
    {children}
  </Button>
)
