// Whether a file is the one that a proof is about.
import { bytesEqual } from '../proof/bytes.ts'
import { shown } from '../proof/verify/carried_values.ts'
import { type Finding, fail, pass, warn } from '../proof/verify/report.ts'
import { weakness } from '../proof/verify/subject_checks.ts'

/** @param fileDigest of the file at hand, by the hash function that `type` names */
export function digestFindings(
  { type, value }: { readonly type: string; readonly value: Uint8Array },
  fileDigest: Uint8Array | undefined,
): Finding[] {
  if (fileDigest === undefined) return [warn('No file was compared with the digest.'), ...weakness(type)]
  return bytesEqual(fileDigest, value)
    ? [pass(`The file has the ${type} digest that this is about.`), ...weakness(type)]
    : [fail(`The file has the ${type} digest ${shown(fileDigest)}, and this is about another.`)]
}
