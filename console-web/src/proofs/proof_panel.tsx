// The proof of a subject: when it is available, the download in every form, and how to check it later.
import './proofs.css'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { fileNameOf, type ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { saveFile } from '../ui/save_file.ts'
import { fetchProof, proofFailureWords } from './fetch_proof.ts'
import { handedOver } from './handed_over.ts'
import { LaterCheck } from './later_check.tsx'
import { type ProofForm, ProofForms, requestOf } from './proof_forms.tsx'
import { ProofLink } from './proof_link.tsx'
import { ProofWait } from './proof_wait.tsx'

type ProofPanelProps = {
  readonly id: string
  readonly type: ProofType
  readonly stage: ProofStage
  readonly blockId: string | null
  /** It is about the digest of a file. */
  readonly isAboutFile?: boolean
}

export const ProofPanel = ({ id, type, stage, blockId, isAboutFile = false }: ProofPanelProps) => (
  <section className="card" aria-labelledby="proof-panel" data-testid="proof-panel" data-stage={stage}>
    <h2 id="proof-panel">Proof</h2>
    {stage === 'ready' ? (
      <ProofDownload id={id} type={type} isAboutFile={isAboutFile} />
    ) : stage === 'gone' ? (
      <p className="card-note">
        The claims were redacted. Without them the hash in the block cannot be recomputed, so no new proof can
        be made. Proofs that were downloaded before go on to verify.
      </p>
    ) : (
      <ProofWait isBlock={type === 'block' || type === 'beacon'} stage={stage} blockId={blockId} />
    )}
  </section>
)

const USUAL: ProofForm = { format: 'json', witnesses: 'all', layout: 'published' }

const ProofDownload = ({
  id,
  type,
  isAboutFile,
}: Pick<Required<ProofPanelProps>, 'id' | 'type' | 'isAboutFile'>) => {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  const [form, setForm] = useState<ProofForm>(USUAL)
  const { state, ask } = useAsked(proofFailureWords)
  const request: ProofInput = { id, type, ...requestOf(form) }
  const asking = state.kind === 'asking'
  return (
    <>
      <p className="card-note">
        Everything needed to recompute it, up to the chain that carries its block, signed by the service. It
        does not expire.
      </p>
      <div className="proof-actions">
        <button
          type="button"
          className="button primary"
          data-testid="download-proof"
          disabled={asking}
          onClick={() => ask(async (signal) => saveFile(await fetchProof(api, request, signal)))}
        >
          {asking ? 'Making the proof…' : 'Download proof'}
        </button>
        <button
          type="button"
          className="button"
          data-testid="open-in-verifier"
          disabled={asking}
          onClick={() =>
            ask(async (signal) => {
              handedOver.write(await fetchProof(api, request, signal))
              navigate(`/verify/${type}/${id}`)
            })
          }
        >
          Open in the verifier
        </button>
      </div>
      {state.kind === 'failed' && (
        <p className="problem" role="alert" data-testid="proof-failure">
          {state.why}
        </p>
      )}
      <details className="fold">
        <summary>Advanced</summary>
        <ProofForms form={form} onChange={setForm} />
      </details>
      <ProofLink type={type} id={id} />
      <LaterCheck fileName={fileNameOf(request)} isAboutFile={isAboutFile} />
    </>
  )
}
