// The sheet for the printer of a verification: its sentence, what the proof states, and what was not checked.
import { PrintSheet } from '../proofs/print_sheet.tsx'
import { utc } from '../ui/format.ts'
import { plainVerdict } from './plain_verdict.ts'
import type { Verified } from './read_proof.ts'

export const VerifiedSheet = ({ verified }: { verified: Verified }) => {
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
