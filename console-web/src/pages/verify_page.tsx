// Verifies a proof in this browser, with or without an account. Given files never leave the page.

import { toHex } from '../../../shared/proof/bytes.ts'
import type { NamedKeyring } from '../../../shared/proof/verify/keyring.ts'
import { LaterCheck } from '../proofs/later_check.tsx'
import { BeforeProof } from '../verify/before_proof.tsx'
import { BitcoinCheck } from '../verify/bitcoin_check.tsx'
import { DataCheck } from '../verify/data_check.tsx'
import { fileQuestion, type GivenBundle, type GivenEvidence, readProof } from '../verify/given_proof.ts'
import { KeyringList } from '../verify/keyring_list.tsx'
import { type Named, ProofSource } from '../verify/proof_source.tsx'
import { ReportSteps } from '../verify/report_steps.tsx'
import { useVerification } from '../verify/use_verification.ts'
import { VerdictPlate } from '../verify/verdict_plate.tsx'

export const VerifyPage = ({ named }: { named: Named | null }) => {
  const verification = useVerification()
  const { given, verified } = verification
  const read = readProof(given)
  return (
    <>
      <title>{verified === null ? 'Verify · Pharos' : `${verified.judgement.headline} · Pharos`}</title>
      <main className="plain-page">
        <header className="page-head">
          <h1>Verify a proof</h1>
          <p>
            Every step runs in this browser. Neither the proof nor your file is sent anywhere, and no account
            is needed.
          </p>
        </header>
        <div className="side-by-side">
          <div className="side">
            <ProofSource
              given={given}
              take={verification.take}
              takeFiles={verification.takeFiles}
              clear={verification.clear}
              named={named}
            />
            {read !== null && (
              <DataCheck
                key={read.name}
                given={read}
                file={verification.file}
                digests={verification.digests}
                onDigests={verification.setDigests}
              />
            )}
            {verified?.kind === 'ots' && (
              <BitcoinCheck
                verified={verified}
                merkleRoots={verification.merkleRoots}
                setMerkleRoot={verification.setMerkleRoot}
              />
            )}
            <KeyringList
              keyrings={verification.keyrings}
              addKeyring={verification.addKeyring}
              removeKeyring={verification.removeKeyring}
              keyringFailure={verification.keyringFailure}
            />
          </div>
          <div className="main-side">
            {verified === null ? (
              <BeforeProof />
            ) : (
              <>
                <VerdictPlate verified={verified} />
                <ReportSteps steps={verified.steps} />
                {verified.kind !== 'ots' && (
                  <LaterCheck
                    fileName={verified.given.name}
                    isAboutFile={fileQuestion(verified.given)?.kind === 'digest'}
                    foreignKeyring={foreignKeyring(verified.given, verification.keyrings)}
                  />
                )}
              </>
            )}
          </div>
        </div>
        <p className="visually-hidden" aria-live="polite">
          {verified !== null && `${verified.judgement.headline}. ${verified.judgement.sentence}`}
        </p>
      </main>
    </>
  )
}

/**
 * Undefined when this service has the key. Otherwise the added keyring file that has it, or the usual name of
 * such a file.
 */
const foreignKeyring = (
  given: GivenBundle | GivenEvidence,
  keyrings: readonly NamedKeyring[] | null,
): string | undefined => {
  const keyId = given.kind === 'bundle' ? given.facts.keyId : toHex(given.evidence.item.signingKeyId)
  const knowing = keyrings?.find(({ keys }) => keys.some(({ key_id }) => key_id === keyId))
  return knowing?.own === true ? undefined : (knowing?.name ?? 'keyring.json')
}
