// What a time-stamp token of the service is worth: by its certificate, and by its evidence when that has ended, was revoked,
// or its key has leaked.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { currentCertificate } from '../../../server/domain/time_stamps/certificates.ts'
import type { StampingCertificate } from '../../../server/domain/time_stamps/stamping_certificate.ts'
import { grantedReply } from '../../../server/domain/time_stamps/time_stamp_reply.ts'
import { readTimeStampRequest } from '../../../server/domain/time_stamps/time_stamp_request.ts'
import { makeToken } from '../../../server/domain/time_stamps/token.ts'
import { readEvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { type TimeStampTrust, verifyTimeStamp } from '../../../shared/evidence/verify_time_stamp.ts'
import { readKeyring } from '../../../shared/proof/verify/keyring.ts'
import {
  type ReadTimeStamp,
  readTimeStamp,
  TimeStampRejected,
} from '../../../shared/time_stamps/read_time_stamp.ts'
import { oid } from '../../../shared/time_stamps/write_der.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { nonce, QUERY_TYPE, queryOf, TRUE } from '../../support/time_stamps/query.ts'

const app = testApp({ aggregationIntervalMs: 100 })

const DIGEST = createHash('sha256').update('a file').digest()
const QUERY = queryOf({ digest: DIGEST, rest: [nonce('05'), TRUE] })

let certificate: StampingCertificate
let reply: Buffer
let stamp: ReadTimeStamp
let evidence: NonNullable<TimeStampTrust['evidence']>
let roots: readonly Uint8Array[]

async function evidenceOf(serial: bigint): Promise<NonNullable<TimeStampTrust['evidence']>> {
  const { text } = await ask(app.port, `/tsa/evidence/${serial.toString(16)}`)
  const file = readEvidenceFile(text)
  const keyring = await ask(app.port, '/.well-known/keyring.json')
  const keyrings = [{ name: 'of the service', keys: readKeyring(keyring.text) }]
  return { file, report: await verifyEvidence(file, { keyrings }) }
}

const answered = async (): Promise<Buffer> => {
  const { bytes } = await ask(app.port, '/tsa', { body: QUERY, headers: { 'Content-Type': QUERY_TYPE } })
  return bytes
}

beforeAll(async () => {
  await app.finalize()
  certificate = await currentCertificate({ em: app.store.em(), masterKey: app.masterKey }, 'p256')
  roots = [certificate.chain[1] ?? expect.fail('no root')]
  reply = await eventually(async () => {
    const bytes = await answered()
    return bytes.length > 200 ? bytes : undefined
  })
  stamp = readTimeStamp(reply)
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  evidence = await evidenceOf(stamp.serial)
  expect(evidence.report.verdict).toBe('valid')
})

const verdict = async (
  given: ReadTimeStamp | Uint8Array,
  trust: Partial<TimeStampTrust> = {},
  digest: Uint8Array = DIGEST,
) => {
  const read = given instanceof Uint8Array ? readTimeStamp(given) : given
  return (await verifyTimeStamp(read, { roots, ...trust }, digest)).verdict
}

/** As who has stolen the key can make them. */
const forged = (timeMs: number, serial = 1n, digest = DIGEST): Uint8Array => {
  const policy = oid('1.2.3')
  const request = readTimeStampRequest(queryOf({ digest, rest: [TRUE] }), policy)
  return grantedReply(makeToken(certificate, { request, policy, serial, timeMs }))
}

describe('a token', () => {
  it('is valid by its certificate, with its file, and in its response or alone', async () => {
    expect(await verdict(stamp)).toBe('valid')
    expect(await verdict(stamp.token)).toBe('valid')
  })

  it('is preserved by its evidence, also when its certificate was revoked after its block', async () => {
    expect(await verdict(stamp, { evidence })).toBe('preserved')
    expect(await verdict(stamp, { evidence, revokedAtMs: Date.now() + 60_000 })).toBe('preserved')
  })

  it('is unsupported without evidence once its certificate is revoked, whenever that was', async () => {
    for (const revokedAtMs of [0, stamp.timeMs - 1_000, stamp.timeMs + 1_000, Date.now() + 1e12])
      expect(await verdict(stamp, { revokedAtMs })).toBe('unsupported')
  })

  it('is unsupported when the revocation is older than its block', async () => {
    expect(await verdict(stamp, { evidence, revokedAtMs: stamp.timeMs - 1_000 })).toBe('unsupported')
  })

  it('is unsupported by a root that only came along, or by none', async () => {
    expect(await verdict(stamp, { roots: [] })).toBe('unsupported')
    expect(await verdict(stamp, { roots: [], others: certificate.chain, evidence })).toBe('unsupported')
  })

  it('is not preserved by an item that names another round, or none', async () => {
    const { file, report } = evidence
    const revokedAtMs = Date.now() + 60_000
    for (const round of ['1.5', '-1', '1e300', '"1"', 'null', '99']) {
      const text = JSON.stringify(file.item.claims)
      const changed = text.replace(/"round":\d+/, `"round":${round}`)
      expect(changed).not.toBe(text)
      const other = { file: { ...file, item: { ...file.item, claims: JSON.parse(changed) } }, report }
      expect(await verdict(stamp, { evidence: other, revokedAtMs }), round).toBe('unsupported')
    }
  })

  it('is not valid for another file', async () => {
    expect(await verdict(stamp, { evidence }, createHash('sha256').update('another').digest())).toBe(
      'not_valid',
    )
  })
})

describe('a forged token', () => {
  it('with a time at which the certificate did not hold is unsupported', async () => {
    for (const timeMs of [certificate.fromMs - 1_000, certificate.toMs + 1_000])
      expect(await verdict(forged(timeMs))).toBe('unsupported')
  })

  it('is never preserved by the evidence of another, be its time or its serial number that of the other', async () => {
    const revokedAtMs = Date.now() + 60_000
    for (const fake of [
      forged(stamp.timeMs),
      forged(stamp.timeMs, stamp.serial),
      forged(stamp.timeMs - 1_000, stamp.serial),
    ])
      expect(await verdict(fake, { evidence, revokedAtMs })).toBe('unsupported')
  })
})

describe('what was changed', () => {
  it('is no time stamp at any length that is cut', () => {
    for (let length = 0; length < reply.length; length += 1)
      expect(() => readTimeStamp(reply.subarray(0, length)), `${length}`).toThrow(TimeStampRejected)
  })

  it('is never valid with another imprint, time, serial number or signer, and never preserved, whichever bit it is', async () => {
    for (let at = 0; at < reply.length; at += 1) {
      const flipped = Buffer.from(reply)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      let read: ReadTimeStamp
      try {
        read = readTimeStamp(flipped)
      } catch (error) {
        expect(error).toBeInstanceOf(TimeStampRejected)
        continue
      }
      const found = await verdict(read, { evidence })
      // The status around the token is signed by nobody.
      if (Buffer.from(read.token).equals(stamp.token)) continue
      expect(found, `byte ${at}`).not.toBe('preserved')
      if (found !== 'valid') continue
      expect([read.serial, read.timeMs, read.imprint, read.signer.signed], `byte ${at}`).toEqual([
        stamp.serial,
        stamp.timeMs,
        stamp.imprint,
        stamp.signer.signed,
      ])
    }
  })
})
