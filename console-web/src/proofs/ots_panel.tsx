// The proof of an item as an .ots file: what it is for and what it discloses, or why there is none.
import './proofs.css'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { claimsPath } from '../../../shared/proof/opentimestamps/item_path.ts'
import { NOT_EXPRESSIBLE, NotExpressible } from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { saveFile } from '../ui/save_file.ts'
import { fetchOts, proofFailureWords } from './fetch_proof.ts'

type OtsPanelProps = {
  readonly id: string
  readonly stage: ProofStage
  /** Null after redaction. */
  readonly claims: JsonObject | null
}

export const OtsPanel = ({ id, stage, claims }: OtsPanelProps) => {
  const obstacle = obstacleIn(claims)
  return (
    <section className="card" aria-labelledby="ots-panel" data-testid="ots-panel">
      <h2 id="ots-panel">For OpenTimestamps</h2>
      {obstacle === null ? (
        <OtsDownload id={id} isReady={stage === 'ready'} />
      ) : (
        <p className="card-note" data-testid="ots-obstacle">
          No <code>.ots</code> file can be made of this item. {obstacle}
        </p>
      )}
    </section>
  )
}

const OtsDownload = ({ id, isReady }: { id: string; isReady: boolean }) => {
  const { api } = useConsole()
  const { state, ask } = useAsked(proofFailureWords)
  const asking = state.kind === 'asking'
  return (
    <>
      <p className="card-note">
        The ordinary OpenTimestamps client checks this file against a Bitcoin node, with the file that the
        item is about.
      </p>
      <p className="card-note" data-testid="ots-disclosure">
        <strong>It discloses the whole claims</strong>: their text is part of it. Signatures, witnesses and
        keys are in the proof above alone.
      </p>
      <div className="proof-actions">
        <button
          type="button"
          className="button"
          data-testid="download-ots"
          disabled={asking || !isReady}
          onClick={() => ask(async (signal) => saveFile(await fetchOts(api, id, signal)))}
        >
          {asking ? 'Making the file…' : 'Download .ots'}
        </button>
      </div>
      {!isReady && <p className="card-note">It can be made as soon as there is a proof.</p>}
      {state.kind === 'failed' && (
        <p className="problem" role="alert" data-testid="ots-failure">
          {state.why}
        </p>
      )}
    </>
  )
}

/** What can be told without asking the service. */
const obstacleIn = (claims: JsonObject | null): string | null => {
  if (claims === null) return NOT_EXPRESSIBLE.redacted
  try {
    claimsPath(claims)
    return null
  } catch (error) {
    if (error instanceof NotExpressible) return error.message
    throw error
  }
}
