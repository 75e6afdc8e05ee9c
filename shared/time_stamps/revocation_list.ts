// Lists of revoked certificates (RFC 5280 section 5): whether they are those of the issuers of a chain, and since when one of
// its certificates is revoked by them.
import { type Certificate, CertificateRevocationList, RevokedCertificate } from 'pkijs'
import { bytesEqual } from '../proof/bytes.ts'
import { utcSeconds } from '../proof/verify/carried_values.ts'
import { type Finding, fail, info, warn } from '../proof/verify/report.ts'
import { DER_TAGS, readDer } from './read_der.ts'
import { sequence } from './write_der.ts'

/**
 * @param path the certificate that signed, those that it rests on, and the root, which nobody revokes
 * @param lists DER
 * @param issuers certificates, among which are those of the issuers
 */
export async function revocationOf(
  path: readonly Certificate[],
  lists: readonly Uint8Array[],
  issuers: readonly Certificate[],
) {
  const findings: Finding[] = []
  const times: number[] = []
  const [leaf] = path
  // A root alone, or a leaf without a chain, is judged as well.
  const judged = path.slice(0, Math.max(1, path.length - 1))
  let isAboutLeaf = lists.length === 0
  for (const bytes of lists) {
    const read = readList(bytes, judged)
    if (read === undefined) {
      findings.push(fail('A list of revoked certificates cannot be read.'))
      continue
    }
    const { list, about, sinceMs } = read
    if (about.length === 0) continue
    if (about[0] === leaf) isAboutLeaf = true
    if (!(await isSignedByOne(list, issuers)))
      findings.push(fail('A list of revoked certificates is not signed by the issuer of its certificate.'))
    else if (sinceMs.length === 0) findings.push(notListed(list))
    else times.push(...sinceMs)
  }
  if (!isAboutLeaf) findings.push(warn('No list of revoked certificates at hand is of its issuer.'))
  /** Unix milliseconds, of the earliest that is said. Undefined where none of the lists names one of them. */
  const sinceMs = times.length === 0 ? undefined : Math.min(...times)
  return { findings, sinceMs }
}

/**
 * The library gives up where a list names more than some 3,000 certificates, so it gets the list without them.
 * @returns the certificates that its issuer has issued, and the Unix milliseconds of each of them that it names
 */
function readList(bytes: Uint8Array, judged: readonly Certificate[]) {
  try {
    const [signed, ...signature] = readDer(bytes).parts
    const parts = signed?.parts ?? []
    const times = parts.findIndex(({ tag }) => tag === DER_TAGS.utcTime || tag === DER_TAGS.generalizedTime)
    const named = parts.find(({ tag }, at) => at > times && tag === DER_TAGS.sequence)
    const others = sequence(...parts.filter((part) => part !== named).map((part) => part.bytes))
    const list = CertificateRevocationList.fromBER(
      Uint8Array.from(sequence(others, ...signature.map((part) => part.bytes))),
    )
    // What its signature is about is all of it.
    list.tbsView = Uint8Array.from(signed?.bytes ?? [])
    const about = judged.filter(({ issuer }) => list.issuer.isEqual(issuer))
    const sinceMs = about.flatMap(({ serialNumber }) => {
      const serial = new Uint8Array(serialNumber.toBER())
      const entry = named?.parts.find((one) => bytesEqual(one.parts[0]?.bytes ?? NOTHING, serial))
      return entry === undefined ? [] : timeOf(entry.bytes)
    })
    return { list, about, sinceMs }
  } catch {
    // The library throws errors of its own, and others for what it did not expect.
    return undefined
  }
}

const NOTHING = new Uint8Array()

const timeOf = (entry: Uint8Array): number =>
  RevokedCertificate.fromBER(Uint8Array.from(entry)).revocationDate.value.getTime()

async function isSignedByOne(
  list: CertificateRevocationList,
  issuers: readonly Certificate[],
): Promise<boolean> {
  for (const issuerCertificate of issuers)
    try {
      if (await list.verify({ issuerCertificate })) return true
    } catch {
      // It throws for keys and algorithms that it does not know, and for signatures that are none.
    }
  return false
}

function notListed({ thisUpdate, crlExtensions }: CertificateRevocationList): Finding {
  const time = utcSeconds(thisUpdate.value.getTime()) ?? 'no known time'
  // Such as one of the changes since another list, or of one reason alone.
  const isPartial = crlExtensions?.extensions.some(({ critical }) => critical) === true
  return isPartial
    ? warn(`The list of ${time} does not name its certificate, and is only a part of all that are revoked.`)
    : info(`The list of ${time} does not name its certificate.`)
}
