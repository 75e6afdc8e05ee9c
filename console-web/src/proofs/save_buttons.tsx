// Saves the proof of something, and that of an item as an .ots file too.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { claimsPath } from '../../../shared/proof/opentimestamps/item_path.ts'
import { NotExpressible } from '../../../shared/proof/opentimestamps/timestamp_path.ts'
import type { ProofInput } from '../../../shared/verifier/read_any_bundle.ts'
import { ActButton } from '../ui/form/act_button.tsx'
import { saveFile } from '../ui/save_file.ts'
import { fetchOts, fetchProof } from './fetch_proof.ts'

type SaveButtonProps = {
  readonly request: ProofInput
  /** Of an item. */
  readonly claims?: JsonObject | undefined
}

export const SaveButtons = ({ request, claims }: SaveButtonProps) => {
  const obstacle = claims === undefined ? null : otsObstacle(claims)
  return (
    <>
      <div className="acts">
        <ActButton
          caption="Save the proof"
          running="Making the proof…"
          look="primary"
          testId="download-proof"
          failureId="proof-failure"
          act={async ({ api }) => saveFile(await fetchProof(api, request))}
        />
        {claims !== undefined && obstacle === null && (
          <ActButton
            caption="Save as .ots"
            running="Making the file…"
            testId="download-ots"
            about="ots-disclosure"
            failureId="ots-failure"
            act={async ({ api }) => saveFile(await fetchOts(api, request.id))}
          />
        )}
      </div>
      {claims !== undefined &&
        (obstacle === null ? (
          <p className="card-note" id="ots-disclosure" data-testid="ots-disclosure">
            The <code>.ots</code> is for the OpenTimestamps client.{' '}
            <strong>It discloses the whole claims</strong>: their text is part of it.
          </p>
        ) : (
          <p className="card-note" data-testid="ots-obstacle">
            No <code>.ots</code> file can be made of this item. {obstacle}
          </p>
        ))}
    </>
  )
}

/** What can be told without asking the service. */
const otsObstacle = (claims: JsonObject): string | null => {
  try {
    claimsPath(claims)
    return null
  } catch (error) {
    if (error instanceof NotExpressible) return error.message
    throw error
  }
}
