// A proof bundle, as the verifier has it.
import type { ReadBundle } from '../../../shared/proof/bundle/read_bundle.ts'
import { verifyBundle } from '../../../shared/proof/verify/verify_bundle.ts'
import { type BundleFacts, bundleFacts } from '../../../shared/verifier/bundle_facts.ts'
import { judgeReport, shownTime } from '../../../shared/verifier/verdict.ts'
import { nameText } from '../ui/shown_text.tsx'
import { type FileQuestion, type ReadProof, sayTime, subjectPath, timesOf } from './read_proof.ts'

export const bundleProof = (name: string, read: ReadBundle): ReadProof => {
  const facts = bundleFacts(read)
  return {
    kind: 'read',
    name,
    question: read.type === 'item' ? questionIn(facts) : undefined,
    verify: async ({ keyrings, digests: [digest] }) => {
      const report = await verifyBundle(read, { keyrings, expectedHash: digest?.hex })
      const judgement = judgeReport(read, report, keyrings, sayTime)
      const isValid = judgement.verdict === 'valid'
      const claimed = isValid ? '' : ', as claimed'
      return {
        judgement,
        steps: report.steps,
        document: report,
        facts: [
          {
            name: report.source.replaceAll('_', ' ') + claimed,
            value: report.id ?? '(unreadable)',
            title: facts.name === undefined ? undefined : nameText(facts.name),
            path: subjectPath(report.source, report.id),
            isWide: true,
          },
          ...timesOf(report, judgement.verdict, facts),
          {
            name: `${isValid ? 'signed by key' : 'names key'} ${facts.keyId ?? '(unreadable)'}${claimed}`,
            value: report.generated_at === null ? 'at no readable time' : shownTime(report.generated_at),
          },
        ],
        existedAt: report.temporal.committed_at,
        signedBy: facts,
        claimedHash: facts.claimedHash,
      }
    },
  }
}

const questionIn = ({ claimedHash }: BundleFacts): FileQuestion =>
  claimedHash === undefined
    ? {
        kind: 'nothing',
        why: 'This item claims words, not the digest of a file: there is nothing to compare.',
      }
    : { kind: 'digest', types: [claimedHash.type], hex: claimedHash.hex, whose: 'The item claims' }
