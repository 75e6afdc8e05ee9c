// The field of the proof: dropped, chosen, pasted, or fetched by the id in the address.
import { useState } from 'react'
import { Link } from 'wouter'
import { isProofType } from '../../../shared/proof/signed_payload.ts'
import { useConsoleIfSignedIn } from '../data/console_context.ts'
import { fetchProof } from '../proofs/fetch_proof.ts'
import { Button } from '../ui/button.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { FileDrop } from '../ui/form/file_drop.tsx'
import { count } from '../ui/format.ts'
import { Problem } from '../ui/problem.tsx'
import { Card } from '../ui/section.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { subjectPath } from './read_proof.ts'
import type { Verification } from './use_verification.ts'

/** From `/verify/<type>/<id>`. */
export type Named = { readonly type: string; readonly id: string }

type ProofFieldProps = Verification & { readonly named: Named | null }

export const ProofField = ({ given, takeProof, clear, named }: ProofFieldProps) => {
  const [pasted, setPasted] = useState('')
  return (
    <Card title="The proof" className="verify-field" data-filled={given !== null}>
      {given === null && named !== null && <FetchNamed named={named} takeProof={takeProof} />}
      {given === null ? (
        <>
          <FileDrop
            several
            caption="Choose a proof"
            testId="proof-file"
            onFile={(file, others) => takeProof([file, ...others])}
          >
            <p>
              <strong>Drop the proof here</strong>
              <small>The file that you saved with the timestamp: .json, .pharos, .ots or .tsr</small>
            </p>
          </FileDrop>
          <details className="fold">
            <summary>Paste it instead</summary>
            <textarea
              aria-label="Proof as JSON or base64"
              data-testid="proof-text"
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
              rows={6}
              spellCheck={false}
            />
            <Button
              data-testid="proof-paste"
              disabled={pasted.trim() === ''}
              onClick={() => {
                takeProof([new File([pasted], 'Pasted text')])
                setPasted('')
              }}
            >
              Verify this text
            </Button>
          </details>
        </>
      ) : (
        <div className="stack">
          <p>
            <strong>
              <Shown text={given.name} />
            </strong>
          </p>
          {given.kind === 'reading' && <p role="status">{count(given.entries)} entries read so far…</p>}
          <Problem testId="proof-problem">{given.kind === 'unreadable' && given.why}</Problem>
          <Button data-testid="proof-clear" onClick={clear}>
            Verify another
          </Button>
        </div>
      )}
    </Card>
  )
}

type FetchNamedProps = Pick<Verification, 'takeProof'> & { readonly named: Named }

const FetchNamed = ({ named: { type, id }, takeProof }: FetchNamedProps) => {
  const isSignedIn = useConsoleIfSignedIn() !== null
  if (!isProofType(type))
    return <p className="problem">There are no proofs of the type “{shownText(type)}”.</p>
  if (!isSignedIn)
    return (
      <p className="card-note">
        To fetch the proof of {type} <code>{shownText(id)}</code>,{' '}
        <Link to={subjectPath(type, id) ?? '/'}>sign in on its page</Link>. With the file at hand you need no
        account.
      </p>
    )
  return (
    <div className="fetch-named stack">
      <p className="card-note">
        The address names {type} <code>{shownText(id)}</code>.
      </p>
      <ActButton
        caption="Fetch this proof"
        running="Fetching…"
        look="primary"
        testId="fetch-proof"
        act={async ({ api }) => takeProof([await fetchProof(api, { type, id })])}
      />
    </div>
  )
}
