// What a verification of an evidence file comes to, in words: the verdict, what it rests on, and what was not checked.
import { toHex } from '../proof/bytes.ts'
import { utcSeconds } from '../proof/verify/carried_values.ts'
import type { NamedKeyring } from '../proof/verify/keyring.ts'
import { warningsIn } from '../proof/verify/report.ts'
import { bundleFacts } from '../verifier/bundle_facts.ts'
import { failedSteps } from '../verifier/step_words.ts'
import { chainReservations, type Judgement, judgeReport, shownTime } from '../verifier/verdict.ts'
import type { EvidenceFile } from './evidence.ts'
import type { EvidenceReport, EvidenceVerdict } from './verify_evidence.ts'

/** A report as JSON, e.g. `{"verdict": "not_yet", "item_id": "01…", "rows": […]}`. */
export const shownReport = ({ item }: EvidenceFile, { verdict, rows, bundle }: EvidenceReport): object => ({
  verdict,
  item_id: item.id,
  rows,
  bundle: bundle?.report,
})

/** @param sayTime how its sentence says a time, of ISO 8601 */
export function judgeEvidence(
  { item }: EvidenceFile,
  { verdict, rows, acceptedAt, bundle }: EvidenceReport,
  keyrings: readonly NamedKeyring[],
  sayTime = shownTime,
): Judgement<EvidenceVerdict> {
  const at = utcSeconds(acceptedAt)
  const accepted = at === undefined ? 'a time that is none' : sayTime(at)
  const keyId = toHex(item.signingKeyId)
  const words = warningsIn(rows.filter(({ group }) => group !== 'Bundle'))
  const said = (sentence: string, reservations: readonly string[] = words): Judgement<EvidenceVerdict> => ({
    verdict,
    headline: HEADLINES[verdict],
    sentence,
    reservations,
  })
  switch (verdict) {
    case 'valid': {
      if (bundle === undefined) return said('')
      const { read, report } = bundle
      return said(judgeReport(read, report, keyrings, sayTime).sentence, [
        ...words,
        ...chainReservations(read, report, bundleFacts(read)),
      ])
    }
    case 'not_yet':
      return said(
        `The service accepted this at ${accepted} and signed that by key ${keyId}. No block with it is committed to a public chain yet, as far as this file knows.`,
      )
    case 'key_open': {
      const isChecked = rows.some(({ status, group }) => status === 'pass' && group === 'Item Signature')
      const fitting = isChecked
        ? 'Every hash, path and signature fits.'
        : `Every hash and path fits. The signature of the item, by key ${keyId}, was not checked.`
      return said(
        `${fitting} But none of the keyrings at hand has the key that signed this, and anybody can make such a file with a key of his own.`,
      )
    }
    case 'not_valid':
      return said(`Failed: ${failedSteps(rows)}.`, [])
    default:
      return verdict satisfies never
  }
}

const HEADLINES: Readonly<Record<EvidenceVerdict, string>> = {
  valid: 'Valid',
  not_yet: 'Not yet',
  key_open: 'Not confirmed: whose key is it?',
  not_valid: 'Not valid',
}
