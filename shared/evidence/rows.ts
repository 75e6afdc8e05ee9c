// Rows of the verification of evidence, of .ots files and of time stamps: their groups, and what they say of the file at hand.
import { bytesEqual } from '../proof/bytes.ts'
import { shown } from '../proof/verify/carried_values.ts'
import { type Finding, fail, pass, type Row, type RowCategory, warn } from '../proof/verify/report.ts'
import { weakness } from '../proof/verify/subject_checks.ts'
import { NO_FILE } from '../verifier/verdict.ts'

const CATEGORIES = {
  Digest: 'data_integrity',
  Trees: 'cryptographic',
  Item: 'structural',
  'Item Signature': 'cryptographic',
  Bundle: 'cryptographic',
  'Public Log': 'cryptographic',
  'Time Stamp': 'timing',
  Bitcoin: 'blockchain',
  Calendar: 'timing',
  Signature: 'cryptographic',
  Certificate: 'cryptographic',
  Evidence: 'timing',
} as const satisfies Record<string, RowCategory>

type Group = keyof typeof CATEGORIES

export interface GroupedRow extends Row {
  readonly group: Group
}

export const inGroup = (group: Group, findings: readonly Finding[]): GroupedRow[] =>
  findings.map(({ status, message }) => ({ group, category: CATEGORIES[group], status, message }))

/** @param fileDigest of the file at hand, by the hash function that `type` names */
export function digestFindings(
  { type, value }: { readonly type: string; readonly value: Uint8Array },
  fileDigest: Uint8Array | undefined,
): Finding[] {
  if (fileDigest === undefined) return [warn(NO_FILE), ...weakness(type)]
  return bytesEqual(fileDigest, value)
    ? [pass(`The file has the ${type} digest that this is about.`), ...weakness(type)]
    : [fail(`The file has the ${type} digest ${shown(fileDigest)}, and this is about another.`)]
}
