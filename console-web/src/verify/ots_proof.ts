// An .ots file, as the verifier has it: the digest of a file, and the Bitcoin blocks that attest to it.
import { judgeOts, shownOts, verifyOts } from '../../../shared/evidence/verify_ots.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import type { ReadOts } from '../../../shared/proof/opentimestamps/read_ots.ts'
import { firstOf, questionOf, type ReadProof } from './read_proof.ts'

export const otsProof = (name: string, read: ReadOts): ReadProof => ({
  kind: 'read',
  name,
  question: questionOf(read.hashType, read.digest),
  verify: async ({ digests, merkleRoots, isTrial }) => {
    const report = await verifyOts(read, { merkleRoots, isTrial }, firstOf(digests))
    const confirmed = report.blocks.filter(({ confirmedBy }) => confirmedBy)
    return {
      judgement: judgeOts(read, report),
      steps: report.rows,
      document: shownOts(read, report),
      facts: [
        { name: `${read.hashType} of a file`, value: toHex(read.digest), isWide: true },
        ...report.blocks.map(({ height, merkleRoot, confirmedBy }) => ({
          name: `${report.blockNames.get(height)}${
            confirmedBy === undefined
              ? ', not confirmed, must have Merkle root'
              : ' has, as you entered it, Merkle root'
          }`,
          value: merkleRoot,
          isWide: true,
        })),
      ],
      existedInBlock: report.blockNames.get(Math.min(...confirmed.map(({ height }) => height))),
      bitcoinBlocks: report.blockNames,
    }
  },
})
