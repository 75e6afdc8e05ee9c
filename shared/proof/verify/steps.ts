// The checks of a verification, in the order in which their rows are reported.
import type { ReadEntry } from '../bundle/bundle_parts.ts'
import { CHAIN_NAMES, type ChainName, commitmentStep } from '../public_chains.ts'
import { hexBytes, sameBytes, shown } from './carried_values.ts'
import { epochFinding, walked } from './derived_hashes.ts'
import type { Examination } from './examination.ts'
import { malformedHexFields } from './hex_fields.ts'
import { keyEventFindings } from './key_event.ts'
import { type Finding, fail, pass, type RowCategory, skip } from './report.ts'
import { keyBinding, proofSignature, signingKey } from './signature_checks.ts'
import { hashComparison, subjectData } from './subject_checks.ts'
import { submissionWindow, submittedBefore, temporalInfo } from './timing_checks.ts'
import { submittedAfter, witnesses } from './witness_checks.ts'

interface Step {
  readonly group: string
  readonly category: RowCategory
  /** Empty when the check does not apply at all. */
  readonly findings: (examination: Examination) => readonly Finding[]
}

/** Clients rely on the names of groups and categories. */
export const STEPS: readonly Step[] = [
  { group: 'Hash Comparison', category: 'data_integrity', findings: hashComparison },
  { group: 'Structure', category: 'structural', findings: version },
  { group: 'Structure', category: 'structural', findings: surplus },
  { group: 'Structure', category: 'structural', findings: hexFields },
  { group: 'Signing Key', category: 'cryptographic', findings: signingKey },
  { group: 'Subject Data', category: 'cryptographic', findings: subjectData },
  { group: 'Inclusion Proof', category: 'cryptographic', findings: inclusionProof },
  { group: 'Block Hash', category: 'cryptographic', findings: blockHash },
  { group: 'Epoch Proof', category: 'cryptographic', findings: epochProofs },
  ...CHAIN_NAMES.map(
    (chain): Step => ({
      group: commitmentStep(chain),
      category: 'blockchain',
      findings: (on) => commitmentsOn(chain, on),
    }),
  ),
  { group: 'Proof Signature', category: 'cryptographic', findings: proofSignature },
  { group: 'Key Binding', category: 'cryptographic', findings: keyBinding },
  { group: 'Signing Key Event', category: 'cryptographic', findings: signingKeyEvent },
  { group: 'Witnesses', category: 'timing', findings: witnesses },
  { group: 'Entropy Source', category: 'blockchain', findings: entropySources },
  { group: 'Submission Window', category: 'timing', findings: submissionWindow },
  { group: 'Temporal Info', category: 'timing', findings: temporalInfo },
  { group: 'Submitted After', category: 'timing', findings: submittedAfter },
  { group: 'Submitted Before', category: 'timing', findings: submittedBefore },
]

function version({ bundle }: Examination): Finding[] {
  return bundle.version === 1
    ? [pass('The bundle is of version 1.')]
    : [fail('The bundle is not of version 1, the only one there is.')]
}

function surplus({ bundle }: Examination): Finding[] {
  return bundle.surplus.length === 0
    ? []
    : [
        fail(
          `More entries than are looked at, and more than any honest bundle has: ${bundle.surplus.join(', ')}.`,
        ),
      ]
}

function hexFields({ bundle }: Examination): Finding[] {
  const names = malformedHexFields(bundle)
  return names.length === 0 ? [] : [fail(`Not lowercase hex of the right length: ${names.join(', ')}.`)]
}

function inclusionProof({ bundle, facts }: Examination): Finding[] {
  if (bundle.inclusionProof === undefined) return [skip('The block itself is the subject.')]
  if (facts.subjectHash === undefined)
    return [fail('Without a subject hash nothing leads to the Merkle root of the block.')]
  const reached = walked(facts.subjectHash, bundle.inclusionProof)
  if (reached === undefined) return [fail('The path to the Merkle root of the block is malformed.')]
  return sameBytes(reached, hexBytes(bundle.block.merkleRoot, 32))
    ? [pass('The path leads from the subject hash to the Merkle root of the block.')]
    : [fail('The path does not lead from the subject hash to the Merkle root of the block.')]
}

function blockHash({ bundle, facts }: Examination): Finding[] {
  if (facts.blockHash === undefined)
    return [fail('A part of the block is missing or malformed, so it has no hash.')]
  return [
    bundle.block.metadataHash === undefined
      ? pass('The metadata of the block is hashed.')
      : skip('The metadata of the block is carried as its hash only.'),
    pass(`The block hashes to ${shown(facts.blockHash)}.`),
  ]
}

function epochProofs({ bundle, facts }: Examination): Finding[] {
  return bundle.commitments.map((entry) => epochFinding(facts.blockHash, entry))
}

function commitmentsOn(chain: ChainName, examination: Examination): Finding[] {
  const entries = examination.bundle.commitments.filter((entry) => entry.chain === chain)
  return entries.flatMap((entry) => chainFindings(examination, entry))
}

/**
 * First what the bytes of the entry show, then what the chain answered. For an entry without bytes only the
 * latter.
 */
function chainFindings({ facts, chains }: Examination, entry: ReadEntry): readonly Finding[] {
  const evidence = facts.chains.get(entry)
  if (evidence?.isBare === true) return evidence.findings
  return [...(evidence?.findings ?? []), ...(chains.get(entry)?.findings ?? [])]
}

/** Reports only failures of the entry's bytes. */
function signingKeyEvent(examination: Examination): readonly Finding[] {
  const { bundle, facts, chains } = examination
  return keyEventFindings(bundle, facts.keyEvent, facts.keyId, (entry) => {
    const evidence = facts.chains.get(entry)
    if (evidence?.isBare === true) return evidence.findings
    const against = evidence?.findings.filter(({ status }) => status === 'fail') ?? []
    return [...against, ...(chains.get(entry)?.findings ?? [])]
  })
}

function entropySources({ entropy }: Examination): Finding[] {
  return entropy.flatMap(({ verdict }) => verdict.findings)
}
