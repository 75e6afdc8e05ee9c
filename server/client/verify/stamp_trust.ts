// What the command line says of time stamps: which roots are trusted, and since when a certificate is revoked.
import {
  type Options,
  type Surroundings,
  textOption,
  textOptions,
  type Values,
} from '../../../shared/cli/command.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TimeStampTrust } from '../../../shared/evidence/verify_time_stamp.ts'
import { readPem } from '../../../shared/time_stamps/read_pem.ts'
import { readNamed } from '../files.ts'
import { rememberedRoots } from './known_roots.ts'

export const STAMP_OPTIONS: Options = {
  ca: {
    type: 'string',
    multiple: true,
    takes: '<file>',
    meaning:
      'root of a time-stamp authority that you trust (PEM), such as the last one at /tsa/certificates. May be repeated. Others that stand in the file are used on the way there. Without it: the roots that "keyring add" remembered',
  },
  crl: {
    type: 'string',
    multiple: true,
    takes: '<file>',
    meaning:
      'a list of revoked certificates (PEM or DER). When it names the certificate of a time stamp, that needs evidence from before. May be repeated. Of 4 MiB at most, which is some 80,000 certificates',
  },
  'revoked-at': {
    type: 'string',
    takes: '<time>',
    meaning:
      'since when the certificate of a time stamp is revoked, in UTC. It needs evidence then, whatever time it says',
  },
}

/** @throws Complaint */
export async function stampTrust(surroundings: Surroundings, values: Values): Promise<TimeStampTrust> {
  const named = textOptions(values, 'ca')
  const roots =
    named.length === 0
      ? await rememberedRoots(surroundings)
      : (await Promise.all(named.map(certificatesIn))).flat()
  const lists = await Promise.all(textOptions(values, 'crl').map(revocationListsIn))
  return {
    roots,
    revocationLists: lists.flat(),
    revokedAtMs: revokedAt(textOption(values, 'revoked-at')),
  }
}

const LATIN1 = new TextDecoder('latin1')

const MOST_BYTES = 1_048_576

/** Of a list of revoked ones. What is read of it takes much more memory. */
const MOST_LIST_BYTES = 4_194_304

async function certificatesIn(name: string): Promise<Uint8Array[]> {
  const certificates = readPem(LATIN1.decode(await readNamed(name, MOST_BYTES)), 'CERTIFICATE')
  if (certificates === undefined) throw new Complaint(`${name} has no certificate that can be read (PEM).`)
  return certificates
}

async function revocationListsIn(name: string): Promise<Uint8Array[]> {
  const bytes = await readNamed(name, MOST_LIST_BYTES)
  // DER of a SEQUENCE.
  if (bytes[0] === 0x30) return [bytes]
  const lists = readPem(LATIN1.decode(bytes), 'X509 CRL')
  if (lists === undefined)
    throw new Complaint(`${name} has no list of revoked certificates that can be read (PEM or DER).`)
  return lists
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
