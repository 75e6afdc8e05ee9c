// What the command line says of time stamps: which roots are trusted, and since when a certificate is revoked.
import { type Options, textOption, textOptions, type Values } from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TimeStampTrust } from '../../../shared/evidence/verify_time_stamp.ts'
import { fromBase64, readOrUndefined } from '../../../shared/proof/bytes.ts'
import { readNamed } from '../files.ts'

export const STAMP_OPTIONS: Options = {
  ca: {
    type: 'string',
    multiple: true,
    takes: '<file>',
    meaning:
      'root of a time-stamp authority that you trust (PEM), such as the last one at /tsa/certificates. May be repeated. Others that stand in the file are used on the way there',
  },
  crl: {
    type: 'string',
    multiple: true,
    takes: '<file>',
    meaning:
      'a list of revoked certificates (PEM or DER). When it names the certificate of a time stamp, that needs evidence from before. May be repeated',
  },
  'revoked-at': {
    type: 'string',
    takes: '<time>',
    meaning:
      'since when the certificate of a time stamp is revoked, in UTC. It needs evidence then, whatever time it says',
  },
}

/** @throws Complaint */
export async function stampTrust(values: Values): Promise<TimeStampTrust> {
  const roots = await Promise.all(textOptions(values, 'ca').map(certificatesIn))
  const lists = await Promise.all(textOptions(values, 'crl').map(revocationListsIn))
  return {
    roots: roots.flat(),
    revocationLists: lists.flat(),
    revokedAtMs: revokedAt(textOption(values, 'revoked-at')),
  }
}

const MOST_BYTES = 1_048_576
/** Of an authority that has revoked a great many. */
const MOST_LIST_BYTES = 16 * 1_048_576

async function certificatesIn(name: string): Promise<Uint8Array[]> {
  const certificates = pemIn(await readNamed(name, MOST_BYTES), 'CERTIFICATE')
  if (certificates === undefined) throw new Complaint(`${name} has no certificate that can be read (PEM).`)
  return certificates
}

async function revocationListsIn(name: string): Promise<Uint8Array[]> {
  const bytes = await readNamed(name, MOST_LIST_BYTES)
  // DER of a SEQUENCE.
  if (bytes[0] === 0x30) return [bytes]
  const lists = pemIn(bytes, 'X509 CRL')
  if (lists === undefined)
    throw new Complaint(`${name} has no list of revoked certificates that can be read (PEM or DER).`)
  return lists
}

/** Undefined where there is none, or one that cannot be read. */
function pemIn(bytes: Uint8Array, label: string): Uint8Array[] | undefined {
  const pem = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]+)-----END ${label}-----`, 'g')
  const found = [...new TextDecoder('latin1').decode(bytes).matchAll(pem)].map(([, base64 = '']) =>
    readOrUndefined(() => fromBase64(base64.replaceAll(/\s/g, ''))),
  )
  const read = found.filter((one) => one !== undefined)
  return read.length === 0 || read.length < found.length ? undefined : read
}

function revokedAt(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms))
    throw new Complaint(`${text} is no time of a revocation.`, {
      advice: 'Such as 2026-11-26 or 2026-11-26T18:00:00Z.',
    })
  return ms
}
