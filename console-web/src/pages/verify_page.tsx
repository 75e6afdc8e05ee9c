// Verifies a proof in this browser, with or without an account. Given files never leave the page.
import { LaterCheck } from '../proofs/later_check.tsx'
import { PrintButton, PrintSheet } from '../proofs/print_sheet.tsx'
import { utc } from '../ui/format.ts'
import { PlainPage } from '../ui/plain_page.tsx'
import { Card } from '../ui/section.tsx'
import { FileField } from '../verify/file_field.tsx'
import { KeyringList } from '../verify/keyring_list.tsx'
import { plainVerdict } from '../verify/plain_verdict.ts'
import { type Named, ProofField } from '../verify/proof_field.tsx'
import type { Verified } from '../verify/read_proof.ts'
import { BeforeProof, ReportSteps } from '../verify/report_steps.tsx'
import { useVerification, type Verification } from '../verify/use_verification.ts'
import { VerdictPlate } from '../verify/verdict_plate.tsx'

export const VerifyPage = ({ named }: { named: Named | null }) => {
  const verification = useVerification()
  const { verified } = verification
  return (
    <PlainPage
      title={verified === null ? 'Verify' : verified.judgement.headline}
      name="Verify a proof"
      intro="Give the proof and the file, either first. Both stay on this computer, and no account is needed."
      act={verified !== null && <PrintButton />}
    >
      <div className="verify-fields">
        <ProofField {...verification} named={named} />
        <FileField {...verification} />
      </div>
      {verified !== null && <VerdictPlate verified={verified} />}
      <div className="side-by-side" data-wide="left">
        <div className="main-side">
          {verified === null ? <BeforeProof /> : <ReportSteps steps={verified.steps} />}
        </div>
        <div className="side">
          {verified?.bitcoinBlocks && <BitcoinCheck {...verification} blocks={verified.bitcoinBlocks} />}
          <KeyringList {...verification} />
          {verified?.signedBy && (
            <div className="card">
              <LaterCheck
                fileName={verified.proof.name}
                isAboutFile={verified.proof.question?.kind === 'digest'}
                foreignKeyring={foreignKeyring(verified.signedBy.keyId, verification.keyrings)}
              />
            </div>
          )}
        </div>
      </div>
      {verified !== null && <VerifiedSheet verified={verified} />}
      <p className="visually-hidden" aria-live="polite">
        {verified !== null && `${verified.judgement.headline}. ${plainVerdict(verified).sentence}`}
      </p>
    </PlainPage>
  )
}

/** For the printer: its sentence, what the proof states, and what was not checked. */
const VerifiedSheet = ({ verified }: { verified: Verified }) => {
  const plain = plainVerdict(verified)
  const { proof, fileName, facts, claimedHash } = verified
  const { headline, reservations } = verified.judgement
  return (
    <PrintSheet
      kind="Verification"
      title={plain.sentence}
      facts={[
        ['Verdict', headline],
        ['The proof', `${proof.name}: ${plain.proof.words}`],
        ['The file', `${fileName ?? 'none'}: ${plain.file.words}`],
        ...(claimedHash === undefined ? [] : [[claimedHash.type, claimedHash.hex] as const]),
        ...facts.map(
          ({ name, value, title }) => [name, title === undefined ? value : `${title}: ${value}`] as const,
        ),
        ...reservations.map((words, index) => [`Not checked, ${index + 1}`, words] as const),
        ['Verified', `${utc(new Date().toISOString())} UTC, at ${window.location.host}`],
      ]}
      link={`${window.location.origin}/verify`}
      fileName={proof.name}
    />
  )
}

/**
 * Undefined when this service has the key. Otherwise the added keyring file that has it, or the usual name of
 * such a file.
 */
const foreignKeyring = (keyId: string | undefined, keyrings: Verification['keyrings']) => {
  const knowing = keyrings?.find(({ keys }) => keys.some(({ key_id }) => key_id === keyId))
  return knowing?.own === true ? undefined : (knowing?.name ?? 'keyring.json')
}

type BitcoinCheckProps = Pick<Verification, 'merkleRoots' | 'setMerkleRoot'> & {
  readonly blocks: ReadonlyMap<number, string>
}

/**
 * The Merkle roots of the Bitcoin blocks that an .ots file names. This page asks nobody, so the person looks them up at a node or
 * an explorer, and enters them. The root that the file needs is not offered here: entered, it would confirm itself.
 */
const BitcoinCheck = ({ blocks, merkleRoots, setMerkleRoot }: BitcoinCheckProps) =>
  blocks.size > 0 && (
    <Card title="What the chain says" className="form-grid">
      <p className="card-note">
        Look the block up by its height, at a node or an explorer that you trust, and enter the Merkle root
        that you find there. This page compares it and asks nobody.
      </p>
      {[...blocks].map(([height, name]) => (
        <label key={height} className="labelled">
          Merkle root of {name}
          <input
            type="text"
            value={merkleRoots.get(height) ?? ''}
            onChange={(event) => setMerkleRoot(height, event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      ))}
    </Card>
  )
