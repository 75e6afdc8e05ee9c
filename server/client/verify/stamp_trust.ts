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
  'revoked-at': {
    type: 'string',
    takes: '<time>',
    meaning:
      'since when the certificate of a time stamp is revoked, in UTC. It needs evidence then, whatever time it says',
  },
}

/** @throws Complaint */
export async function stampTrust(values: Values): Promise<TimeStampTrust> {
  const files = await Promise.all(textOptions(values, 'ca').map(certificatesIn))
  return { roots: files.flat(), revokedAtMs: revokedAt(textOption(values, 'revoked-at')) }
}

const MOST_BYTES = 1_048_576

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g

async function certificatesIn(name: string): Promise<Uint8Array[]> {
  const text = new TextDecoder('latin1').decode(await readNamed(name, MOST_BYTES))
  const found = [...text.matchAll(PEM)].map(([, base64 = '']) =>
    readOrUndefined(() => fromBase64(base64.replaceAll(/\s/g, ''))),
  )
  const certificates = found.filter((one) => one !== undefined)
  if (certificates.length === 0 || certificates.length < found.length)
    throw new Complaint(`${name} has no certificate that can be read (PEM).`)
  return certificates
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
