// Time stamps of other authorities, from the tests of another client, see public_authorities/README.md.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifyTimeStamp } from '../../shared/evidence/verify_time_stamp.ts'
import { readTimeStamp, TimeStampRejected } from '../../shared/time_stamps/read_time_stamp.ts'

const FOLDER = join(import.meta.dirname, 'public_authorities')

/** DER, in their order. */
async function chainOf(authority: string): Promise<Uint8Array[]> {
  const text = await readFile(join(FOLDER, `${authority}.pem`), 'latin1')
  const pem = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g
  return [...text.matchAll(pem)].map(([, base64 = '']) => Buffer.from(base64, 'base64'))
}

const readFrom = async (name: string) => readTimeStamp(await readFile(join(FOLDER, `${name}.tsr`)))

const verdict = async (name: string, authority: string, digest?: Uint8Array) =>
  (await verifyTimeStamp(await readFrom(name), { roots: await chainOf(authority) }, digest)).verdict

describe('a time stamp of another authority', () => {
  it.each([
    ['sigstore_sha256', 'sigstore', '2025-05-09T11:58:55.000Z'],
    ['sigstore_sha384', 'sigstore', '2025-05-09T11:58:55.000Z'],
    ['sigstore_sha512', 'sigstore', '2025-05-09T11:58:56.000Z'],
    ['sigstore_no_certificate', 'sigstore', '2025-06-18T08:13:02.000Z'],
    ['identrust', 'identrust', '2025-03-11T08:52:08.000Z'],
    ['local', 'local', '2024-10-08T15:40:32.000Z'],
    ['injected_certificates', 'local', '2024-10-08T15:40:32.000Z'],
  ])('is valid by its root, and unsupported without it: %s', async (name, authority, time) => {
    const stamp = await readFrom(name)
    expect(new Date(stamp.timeMs).toISOString()).toBe(time)
    expect(await verdict(name, authority)).toBe('valid')
    const other = authority === 'identrust' ? 'sigstore' : 'identrust'
    // One that carries no certificate cannot even be checked.
    const without = name === 'sigstore_no_certificate' ? 'not_valid' : 'unsupported'
    expect(await verdict(name, other)).toBe(without)
  })

  it.each([256, 384, 512])('is about its data alone, by SHA-%i', async (bits) => {
    const digestOf = (text: string) => createHash(`sha${bits}`).update(text).digest()
    expect(await verdict(`sigstore_sha${bits}`, 'sigstore', digestOf('hello'))).toBe('valid')
    expect(await verdict(`sigstore_sha${bits}`, 'sigstore', digestOf('hollo'))).toBe('not_valid')
  })

  it('whose signature was changed is not valid', async () => {
    expect(await verdict('sigstore_invalid_signature', 'sigstore')).toBe('not_valid')
  })

  it('whose serial number is negative is none', async () => {
    await expect(readFrom('sigstore_negative_serial')).rejects.toThrow(TimeStampRejected)
  })
})
