// Lists of revoked certificates (RFC 5280 section 5): whether they are those of the issuer of a certificate, and since when
// it is revoked by them.
import { type Certificate, CertificateRevocationList } from 'pkijs'
import { utcSeconds } from '../proof/verify/carried_values.ts'
import { type Finding, fail, info, warn } from '../proof/verify/report.ts'

interface Revocation {
  readonly findings: readonly Finding[]
  /** Unix milliseconds, of the earliest that is said. Undefined where none of the lists names the certificate. */
  readonly sinceMs: number | undefined
}

/**
 * @param lists DER
 * @param issuers certificates, among which is that of the issuer
 */
export async function revocationOf(
  certificate: Certificate,
  lists: readonly Uint8Array[],
  issuers: readonly Certificate[],
): Promise<Revocation> {
  const findings: Finding[] = []
  const times: number[] = []
  let isAbout = lists.length === 0
  for (const bytes of lists) {
    const list = readList(bytes)
    if (list === undefined) {
      findings.push(fail('A list of revoked certificates cannot be read.'))
      continue
    }
    if (!list.issuer.isEqual(certificate.issuer)) continue
    isAbout = true
    if (!(await isSignedByOne(list, issuers))) {
      findings.push(fail('A list of revoked certificates is not signed by the issuer of its certificate.'))
      continue
    }
    const entry = list.revokedCertificates?.find(({ userCertificate }) =>
      userCertificate.isEqual(certificate.serialNumber),
    )
    if (entry === undefined) findings.push(notListed(list))
    else times.push(entry.revocationDate.value.getTime())
  }
  if (!isAbout) findings.push(warn('No list of revoked certificates at hand is of its issuer.'))
  return { findings, sinceMs: times.length === 0 ? undefined : Math.min(...times) }
}

function readList(bytes: Uint8Array): CertificateRevocationList | undefined {
  try {
    return CertificateRevocationList.fromBER(Uint8Array.from(bytes))
  } catch {
    // The library throws errors of its own, and others for what it did not expect.
    return undefined
  }
}

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
