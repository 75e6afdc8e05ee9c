// The proof of a subject: how far it is on its way, the download, and one step deeper its forms and how to check it later.
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { ProofType } from '../../../shared/proof/signed_payload.ts'
import { fileNameOf, type ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import { useBlock } from '../blocks/block.ts'
import { blockStage, type ProofStage } from '../commitments/proof_stage.ts'
import { handedOver } from '../data/given_files.ts'
import { Button } from '../ui/button.tsx'
import { Command } from '../ui/copy_button.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { Choice } from '../ui/form/choice.tsx'
import { utcClock } from '../ui/format.ts'
import { lazyPart } from '../ui/load/lazy.tsx'
import { fetchProof } from './fetch_proof.ts'
import { LaterCheck } from './later_check.tsx'
import { SaveButtons } from './save_buttons.tsx'
import { Timeline, TrialNote } from './timeline.tsx'
import { useWay } from './use_way.ts'
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
    <h2 id="proof-panel" className={isWide ? 'visually-hidden' : undefined}>
      Proof
    </h2>
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

/** The proof of a beacon. The list read its block when it was new, so this asks again whether a chain carries it. */
export const BeaconProof = ({ id }: { id: string }) => {
  const loaded = useBlock(id)
  if (loaded.kind !== 'found') return null
  return <ProofPanel id={id} type="beacon" stage={blockStage(loaded.value.block.state)} blockId={id} />
}

const OnItsWay = ({ type, stage, blockId, handedInAt, isWide = false }: ProofPanelProps) => {
  const way = useWay({ stage, blockId, handedInAt: handedInAt ?? null, of: kindOf(type) })
  return (
    <>
      <Timeline way={way} isWide={isWide} />
      {stage !== 'ready' && handedInAt !== undefined && <SafeAlready at={handedInAt} />}
      <TrialNote />
    </>
  )
}

const kindOf = (type: ProofType): Way['of'] => {
  if (type === 'item') return 'item'
  return type === 'block' || type === 'beacon' ? 'block' : 'observation'
}

export const SafeAlready = ({ at }: { at: string }) => (
  <p className="safe-already" data-testid="safe-already">
    Safe already: signed at {utcClock(at)} UTC. You may close this page.
  </p>
)

const ProofDownload = ({ id, type, claims }: Pick<ProofPanelProps, 'id' | 'type' | 'claims'>) => {
  const [, navigate] = useLocation()
  const [format, setFormat] = useState<'json' | 'cbor'>('json')
  const [witnesses, setWitnesses] = useState<'all' | 'none'>('all')
  const [layout, setLayout] = useState<'published' | 'compact'>('published')
  const request: ProofInput = { id, type, format, layout, ...(witnesses === 'none' ? { witnesses: [] } : {}) }
  return (
    <>
      <SaveButtons request={request} claims={claims ?? undefined} />
      <details className="fold">
        <summary>More about it</summary>
        <p className="card-note">
          The proof has everything needed to recompute it, up to the chain that carries its block, signed by
          the service. It does not expire.
        </p>
        <ActButton
          caption="Open in the verifier"
          testId="open-in-verifier"
          act={async ({ api }) => {
            handedOver.write({ files: [await fetchProof(api, request)] })
            navigate(`/verify/${type}/${id}`)
          }}
        />
        <div className="form-grid">
          <Choice
            label="Format"
            note="CBOR is the same in fewer bytes."
            options={{ json: 'JSON', cbor: 'CBOR' }}
            value={format}
            onChange={setFormat}
          />
          <Choice
            label="Witnesses"
            note="They tell after which moment it was submitted."
            options={{ all: 'All', none: 'None' }}
            value={witnesses}
            onChange={setWitnesses}
          />
          <Choice
            label="Layout"
            note="The compact layout is for old clients; it leaves out what they cannot read."
            options={{ published: 'Published', compact: 'Compact' }}
            value={layout}
            onChange={setLayout}
          />
        </div>
        <ProofLink type={type} id={id} />
        <LaterCheck fileName={fileNameOf(request)} isAboutFile={claims?.hash !== undefined} />
      </details>
    </>
  )
}

const QrCode = lazyPart(async () => (await import('./qr_code.tsx')).QrCode)

const ProofLink = ({ type, id }: { type: ProofType; id: string }) => {
  const [isShown, setShown] = useState(false)
  const link = `${window.location.origin}/verify/${type}/${id}`
  return (
    <section className="part" aria-labelledby="proof-link">
      <h3 id="proof-link">Link to its verification</h3>
      <Command text={link} what="link" testId="verify-link" />
      <p>
        It discloses the id alone. Who opens it needs the proof, or an account that may read the {noun(type)}.
      </p>
      <Button data-testid="show-qr" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide QR code' : 'Show QR code'}
      </Button>
      {isShown && (
        <>
          <QrCode text={link} />
          {isOwnComputer(window.location.hostname) && (
            <p className="notice">
              {window.location.host} is this computer only. Another device finds the page once the service has
              an address that others reach.
            </p>
          )}
        </>
      )}
    </section>
  )
}

const noun = (type: ProofType): string => (type.startsWith('entropy_') ? 'observation' : type)

const isOwnComputer = (host: string): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host)
