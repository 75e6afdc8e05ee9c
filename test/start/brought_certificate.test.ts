// The operator's own certificate for time stamps: a start takes what signs tokens that are accepted, and refuses all else
// in one sentence.
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OctetString } from 'asn1js'
import { Certificate, ExtKeyUsage } from 'pkijs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Certified, makeLeaf, makeRoot } from '../../server/domain/time_stamps/make_certificates.ts'
import { readBroughtCertificate } from '../../server/start/brought_files.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 24)
const VALIDITY = { fromMs: NOW - DAY_MS, toMs: NOW + 100 * DAY_MS, keyToMs: NOW + 50 * DAY_MS }

let folder: string
let root: Certified
let leaf: Certified
let stranger: Certified
beforeAll(async () => {
  folder = await makeTemporaryFolder('pharos-brought-')
  root = await makeRoot('p256', VALIDITY)
  leaf = await makeLeaf('p256', VALIDITY, root)
  stranger = await makeRoot('p256', VALIDITY)
})
afterAll(() => rm(folder, { recursive: true }))

const pem = (label: string, der: Uint8Array): string =>
  `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

async function read(chain: readonly Pick<Certified, 'certificate'>[], { privateKey } = leaf, nowMs = NOW) {
  const [certificate, key] = [join(folder, 'tsa.pem'), join(folder, 'tsa.key')]
  await writeFile(certificate, chain.map((one) => pem('CERTIFICATE', one.certificate)).join(''))
  await writeFile(key, pem('PRIVATE KEY', privateKey))
  return readBroughtCertificate({ certificate, key }, nowMs)
}

/** The leaf with a change, signed anew by its root. */
async function altered(change: (certificate: Certificate) => void): Promise<Certified> {
  const certificate = Certificate.fromBER(Uint8Array.from(leaf.certificate))
  change(certificate)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  await certificate.sign(
    await crypto.subtle.importKey('pkcs8', Uint8Array.from(root.privateKey), algorithm, false, ['sign']),
    'SHA-256',
  )
  return { ...leaf, certificate: Buffer.from(certificate.toSchema(true).toBER()) }
}

const purpose = (certificate: Certificate) =>
  certificate.extensions?.find(({ extnID }) => extnID === '2.5.29.37') ?? expect.fail('no purpose')

describe('a certificate that an operator brings', () => {
  it('signs within the period of its key', async () => {
    const found = await read([leaf, root])
    expect(found).toMatchObject({ fromMs: VALIDITY.fromMs, toMs: VALIDITY.keyToMs })
    expect(found?.chain).toEqual([leaf.certificate, root.certificate])
  })

  it('is none where none is named', async () => {
    expect(await readBroughtCertificate({})).toBeUndefined()
  })

  const cases: readonly (readonly [string, RegExp, () => Promise<unknown>])[] = [
    ['a chain of one', /two certificates at least/, () => read([leaf])],
    ['no certificate', /no certificate in it/, () => read([])],
    ['the key of another', /that of another certificate/, () => read([leaf, root], root)],
    ['another root', /certificate 1 of the chain is not issued/, () => read([leaf, stranger])],
    ['a leaf behind its root', /must be timeStamping/, () => read([root, leaf], root)],
    [
      'another purpose',
      /must be timeStamping/,
      async () => {
        const signing = new ExtKeyUsage({ keyPurposes: ['1.3.6.1.5.5.7.3.3'] }).toSchema().toBER()
        const code = await altered((one) => {
          purpose(one).extnValue = new OctetString({ valueHex: signing })
        })
        return read([code, root])
      },
    ],
    [
      'a purpose that is not critical',
      /must be critical/,
      async () => {
        const mild = await altered((one) => {
          purpose(one).critical = false
        })
        return read([mild, root])
      },
    ],
    [
      'no purpose',
      /must be timeStamping/,
      async () =>
        read([
          await altered((one) => {
            one.extensions = one.extensions?.filter((extension) => extension !== purpose(one)) ?? []
          }),
          root,
        ]),
    ],
    ['one that has expired', /signs nothing since 2027/, () => read([leaf, root], leaf, NOW + 101 * DAY_MS)],
    [
      'one whose key signs no more',
      /signs nothing since 2027-01-13/,
      () => read([leaf, root], leaf, NOW + 51 * DAY_MS),
    ],
    [
      'one that does not hold yet',
      /signs nothing before 2026-11-23/,
      () => read([leaf, root], leaf, NOW - 2 * DAY_MS),
    ],
    [
      'a file that is not there',
      /ENOENT/,
      () => readBroughtCertificate({ certificate: join(folder, 'none'), key: join(folder, 'none') }),
    ],
  ]
  it.each(cases)('is refused when it is %s', async (_, why, run) => {
    const refused = await run().catch((error: unknown) => error)
    const words = refused instanceof Error ? refused.message : expect.fail('it was taken')
    expect(words).toMatch(/^TSA_CERTIFICATE \(\S+\) with TSA_KEY \(\S+\) cannot be used: .*\.$/)
    expect(words).toMatch(why)
    expect(words).not.toContain('\n')
  })
})
