// What the command line says of time stamps: which roots of time-stamp authorities are trusted, and since when a certificate is
// revoked. Roots are got from a service with its keys, and remembered, one file per service.
import { createHash } from 'node:crypto'
import { type Options, type Surroundings, textOption, textOptions } from '../../../shared/cli/command.ts'
import { askHttp } from '../../../shared/cli/get_bytes.ts'
import { Complaint } from '../../../shared/cli/terminal.ts'
import type { TimeStampTrust } from '../../../shared/evidence/verify_time_stamp.ts'
import { readPem } from '../../../shared/time_stamps/read_pem.ts'
import { readNamed } from '../files.ts'
import { Shelf } from '../shelf.ts'

export const STAMP_OPTIONS: Options = {
  ca: {
    multiple: true,
    takes: '<file>',
    meaning:
      'root of a time-stamp authority that you trust (PEM), such as the last one at /tsa/certificates. May be repeated. Others that stand in the file are used on the way there. Without it: the roots that "keyring add" remembered',
  },
  crl: {
    multiple: true,
    takes: '<file>',
    meaning:
      'a list of revoked certificates (PEM or DER). When it names the certificate of a time stamp, that needs evidence from before. May be repeated. Of 4 MiB at most, which is some 80,000 certificates',
  },
  'revoked-at': {
    takes: '<time>',
    meaning:
      'since when the certificate of a time stamp is revoked, in UTC. It needs evidence then, whatever time it says',
  },
}

/** @throws Complaint */
export async function stampTrust(surroundings: Surroundings): Promise<TimeStampTrust> {
  const { values } = surroundings
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

const pemOf = (certificate: Uint8Array): string => {
  const lines = Buffer.from(certificate).toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

const shelfOf = ({ env }: Surroundings): Shelf => new Shelf(env, 'time-stamp-roots', 'roots', '.pem')

/**
 * DER. Undefined where the service stamps no time.
 * @param origin of a service that may be asked for keys
 */
export async function findRoot(origin: string): Promise<Uint8Array | undefined> {
  const { status, bytes } = await askHttp(new URL('/tsa/certificates', origin))
  return status === 200 ? readPem(LATIN1.decode(bytes), 'CERTIFICATE')?.at(-1) : undefined
}

/**
 * Beside those that are remembered of the service already.
 * @param name under which its keyring is remembered
 * @returns its SHA-256, hex
 */
export async function rememberRoot(
  surroundings: Surroundings,
  name: string,
  root: Uint8Array,
): Promise<string> {
  const pem = pemOf(root)
  await shelfOf(surroundings).put(name, (bytes) => {
    const held = bytes?.toString('latin1') ?? ''
    return held.includes(pem) ? undefined : held + pem
  })
  return createHash('sha256').update(root).digest('hex')
}

export const forgetRoots = (surroundings: Surroundings, name: string): Promise<boolean> =>
  shelfOf(surroundings).remove(name)

/** DER, of all services. */
const rememberedRoots = async (surroundings: Surroundings): Promise<Uint8Array[]> =>
  (await shelfOf(surroundings).all()).flatMap(
    ({ bytes }) => readPem(LATIN1.decode(bytes), 'CERTIFICATE') ?? [],
  )
