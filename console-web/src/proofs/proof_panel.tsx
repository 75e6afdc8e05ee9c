// The proof of a subject: how far it is on its way, the download, and one step deeper its forms and how to check it later.
import './proofs.css'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { fileNameOf, type ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { utcClock } from '../ui/format_time.ts'
import { fetchProof, proofFailureWords } from './fetch_proof.ts'
import { handedOver } from './handed_over.ts'
import { LaterCheck } from './later_check.tsx'
import { type ProofForm, ProofForms, requestOf } from './proof_forms.tsx'
import { ProofLink } from './proof_link.tsx'
import { SaveButtons } from './save_buttons.tsx'
import { Timeline } from './timeline.tsx'
import { TrialNote } from './trial_note.tsx'
import { useIsTrial, useWay } from './use_way.ts'
import type { Way } from './way.ts'

type ProofPanelProps = {
  readonly id: string
  readonly type: ProofType
  readonly stage: ProofStage
  readonly blockId: string | null
  /** ISO 8601. Of an item. */
  readonly handedInAt?: string
  /** Of an item: null after redaction. */
  readonly claims?: JsonObject | null
  /** It is about the digest of a file. */
  readonly isAboutFile?: boolean
  /** At the head of a page, as wide as that. */
  readonly isWide?: boolean
}

export const ProofPanel = ({ stage, isWide = false, ...subject }: ProofPanelProps) => (
  <section
    className="card proof-panel"
    aria-labelledby="proof-panel"
    data-testid="proof-panel"
    data-stage={stage}
    data-wide={isWide}
  >
    <h2 id="proof-panel">Proof</h2>
    {stage === 'gone' ? (
      <p className="card-note">
        The claims were erased. Without them the hash in the block cannot be recomputed, so no new proof can
        be made. Proofs that were saved before go on to verify.
      </p>
    ) : (
      <>
        <OnItsWay stage={stage} isWide={isWide} {...subject} />
        {stage === 'ready' && <ProofDownload {...subject} />}
      </>
    )}
  </section>
)

type OnItsWayProps = Pick<ProofPanelProps, 'type' | 'blockId' | 'handedInAt' | 'isWide'> & {
  readonly stage: Exclude<ProofStage, 'gone'>
}

const OnItsWay = ({ type, stage, blockId, handedInAt, isWide = false }: OnItsWayProps) => {
  const way = useWay({ stage, blockId, handedInAt: handedInAt ?? null, of: kindOf(type) })
  const isTrial = useIsTrial()
  return (
    <>
      <Timeline way={way} isWide={isWide} />
      {stage !== 'ready' && handedInAt !== undefined && <SafeAlready at={handedInAt} />}
      {isTrial && <TrialNote />}
    </>
  )
}

const kindOf = (type: ProofType): Way['of'] => {
  if (type === 'item') return 'item'
  return type === 'block' || type === 'beacon' ? 'block' : 'observation'
}

export const SafeAlready = ({ at }: { at: string }) => (
  <p className="safe-already" data-testid="safe-already">
    Safe already: signed at {utcClock(at)}. You may close this page.
  </p>
)

const USUAL: ProofForm = { format: 'json', witnesses: 'all', layout: 'published' }

const ProofDownload = ({
  id,
  type,
  claims,
  isAboutFile = false,
}: Pick<ProofPanelProps, 'id' | 'type' | 'claims' | 'isAboutFile'>) => {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  const [form, setForm] = useState<ProofForm>(USUAL)
  const { state, ask } = useAsked(proofFailureWords)
  const request: ProofInput = { id, type, ...requestOf(form) }
  const openInVerifier = (): void =>
    ask(async (signal) => {
      const { name, bytes } = await fetchProof(api, request, signal)
      handedOver.write([new File([Uint8Array.from(bytes)], name)])
      navigate(`/verify/${type}/${id}`)
    })
  return (
    <>
      <SaveButtons request={request} claims={claims ?? undefined} />
      <details className="fold">
        <summary>More about it</summary>
        <p className="card-note">
          The proof has everything needed to recompute it, up to the chain that carries its block, signed by
          the service. It does not expire.
        </p>
        <button
          type="button"
          className="button"
          data-testid="open-in-verifier"
          disabled={state.kind === 'asking'}
          onClick={openInVerifier}
        >
          Open in the verifier
        </button>
        {state.kind === 'failed' && (
          <p className="problem" role="alert">
            {state.why}
          </p>
        )}
        <ProofForms form={form} onChange={setForm} />
        <ProofLink type={type} id={id} />
        <LaterCheck fileName={fileNameOf(request)} isAboutFile={isAboutFile} />
      </details>
    </>
  )
}
