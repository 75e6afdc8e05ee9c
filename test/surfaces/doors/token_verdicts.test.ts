// What a time-stamp token of the service is worth: by its certificate, and by its evidence when that has ended, was revoked,
// or its key has leaked.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSigner } from '../../../server/domain/ledger/signing_key.ts'
import { openRounds } from '../../../server/domain/rounds/open_rounds.ts'
import { currentCertificate } from '../../../server/domain/time_stamps/certificates.ts'
import { makeLeaf, makeRoot } from '../../../server/domain/time_stamps/make_certificates.ts'
import {
  openPrivateKey,
  type StampingCertificate,
  stampingCertificate,
} from '../../../server/domain/time_stamps/stamping_certificate.ts'
import { grantedReply, readTimeStampRequest } from '../../../server/domain/time_stamps/time_stamp_request.ts'
import { makeToken } from '../../../server/domain/time_stamps/token.ts'
import { ulidFloor } from '../../../server/kernel/identifiers.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { readEvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyEvidence } from '../../../shared/evidence/verify_evidence.ts'
import { type TimeStampTrust, verifyTimeStamp } from '../../../shared/evidence/verify_time_stamp.ts'
import { readKeyring } from '../../../shared/proof/verify/keyring.ts'
import {
  type ReadTimeStamp,
  readTimeStamp,
  TimeStampRejected,
} from '../../../shared/time_stamps/read_time_stamp.ts'
import { tokenSerial } from '../../../shared/time_stamps/token_marks.ts'
import { oid } from '../../../shared/time_stamps/write_der.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { nonce, QUERY_TYPE, queryOf, TRUE } from '../../support/time_stamps/query.ts'
import { readTlv, tlv } from '../../support/time_stamps/second_der.ts'

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

const report = (
  given: ReadTimeStamp | Uint8Array,
  trust: Partial<TimeStampTrust> = {},
  digest: Uint8Array = DIGEST,
) => verifyTimeStamp(given instanceof Uint8Array ? readTimeStamp(given) : given, { roots, ...trust }, digest)

const verdict = async (...given: Parameters<typeof report>) => (await report(...given)).verdict

/** As who has the key can make them. */
const tokenBy = (by: StampingCertificate, timeMs: number, serial: bigint): Uint8Array => {
  const policy = oid('1.2.3')
  const request = readTimeStampRequest(queryOf({ digest: DIGEST, rest: [TRUE] }), policy)
  return makeToken(by, { request, policy, serial, timeMs })
}

const forged = (timeMs: number, serial = 1n): Uint8Array => grantedReply(tokenBy(certificate, timeMs, serial))

/** As the operator can make them, who need not ask his own service: it stands in a round, at the place that it says. */
async function placed(
  by: StampingCertificate,
  timeMs: () => number,
): Promise<{ token: ReadTimeStamp; prove: () => Promise<NonNullable<TimeStampTrust['evidence']>> }> {
  const em = () => app.store.em()
  const signer = createSigner({ masterKey: app.masterKey })
  const parts = { em, signer, intervalMs: 1, onRecorded: () => undefined, log: createLog('silent') }
  const rounds = openRounds(parts)
  let made: Uint8Array | undefined
  await rounds.placeToken(({ start, index }) => {
    made = tokenBy(by, Math.round(timeMs() / 1_000) * 1_000, tokenSerial(start.number, index))
    return createHash('sha256').update(made).digest()
  }, 'operator')
  await rounds.close()
  const token = readTimeStamp(made ?? expect.fail('no token'))
  return {
    token,
    prove: async () => {
      await app.finalize()
      await commitBlocks({ em: em() })
      const proven = await evidenceOf(token.serial)
      expect(proven.report.verdict).toBe('valid')
      return proven
    },
  }
}

/** A time at which nothing that is made here is revoked yet. */
const LATER = Date.UTC(2100, 0)

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

  it('is not preserved by an item whose time is more than ten seconds from its own', async () => {
    const { file, report } = evidence
    for (const [apartMs, expected] of [
      [10_000, 'preserved'],
      [-10_000, 'preserved'],
      [10_001, 'unsupported'],
      [-10_001, 'unsupported'],
      [-86_400_000, 'unsupported'],
    ] as const) {
      const id = ulidFloor(stamp.timeMs + apartMs)
      const other = { file: { ...file, item: { ...file.item, id } }, report }
      expect(await verdict(stamp, { evidence: other, revokedAtMs: LATER }), `${apartMs}`).toBe(expected)
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

describe('a token that its operator has put into a round', () => {
  it('is preserved when its time is that of the round, also when the key has leaked', async () => {
    const { token, prove } = await placed(certificate, Date.now)
    expect(await verdict(token, { evidence: await prove(), revokedAtMs: LATER })).toBe('preserved')
  })

  it('and back-dated, or dated ahead, has evidence that is valid, and is preserved by it no more', async () => {
    for (const apartMs of [-60_000, 60_000]) {
      const { token, prove } = await placed(certificate, () => Date.now() + apartMs)
      const { rows, verdict } = await report(token, { evidence: await prove(), revokedAtMs: LATER })
      expect(verdict).toBe('unsupported')
      expect(rows.filter(({ status }) => status === 'fail').map(({ message }) => message)).toEqual([
        'Its round was recorded at another time.',
      ])
    }
  })

  it('is not preserved when its certificate had ended before its block', async () => {
    const fromMs = Math.floor(Date.now() / 1_000) * 1_000
    const long = { fromMs: fromMs - 60_000, toMs: fromMs + 86_400_000 }
    const root = await makeRoot('p256', long)
    const of = async (toMs: number): Promise<StampingCertificate> => {
      const leaf = await makeLeaf('p256', { ...long, toMs, keyToMs: toMs }, root)
      return stampingCertificate([leaf.certificate, root.certificate], openPrivateKey(leaf.privateKey))
    }
    const endMs = Math.ceil(Date.now() / 1_000) * 1_000 + 2_000
    for (const [toMs, expected] of [
      [endMs, 'unsupported'],
      [long.toMs, 'preserved'],
    ] as const) {
      const { token, prove } = await placed(await of(toMs), () => Math.min(Date.now(), toMs))
      await eventually(() => (Date.now() > endMs ? true : undefined))
      const trust = { roots: [root.certificate], evidence: await prove() }
      expect(await verdict(token, { ...trust, revokedAtMs: LATER })).toBe(expected)
      // While nobody says that the key has leaked, the certificate held at its time.
      expect(await verdict(token, trust)).toBe(expected === 'preserved' ? 'preserved' : 'valid')
    }
  })
})

describe('a token that somebody wrote anew', () => {
  /** The same signature, with other certificates around it. */
  function wrapped(...certificates: readonly Uint8Array[]): Buffer {
    const [type, signedData] = readTlv(Buffer.from(stamp.token)).inside()
    const parts =
      signedData
        ?.inside()[0]
        ?.inside()
        .filter(({ tag }) => tag !== 0xa0) ?? []
    const wholes = parts.map(({ whole }) => whole)
    const carried = certificates.length === 0 ? [] : [tlv(0xa0, ...certificates)]
    const signed = tlv(0x30, ...wholes.slice(0, -1), ...carried, ...wholes.slice(-1))
    return tlv(0x30, type?.whole ?? Buffer.of(), tlv(0xa0, signed))
  }

  it('is the very one when it is written with what it carried', () => {
    expect(wrapped(...stamp.certificates)).toEqual(Buffer.from(stamp.token))
  })

  it('is valid by the same certificate, and the evidence is about another', async () => {
    for (const certificates of [[], certificate.chain, [...certificate.chain].reverse()]) {
      const other = wrapped(...certificates)
      const trust = { others: certificate.chain, evidence }
      expect(await verdict(other, trust)).toBe('valid')
      const { rows, verdict: found } = await report(other, { ...trust, revokedAtMs: LATER })
      expect(found).toBe('unsupported')
      expect(rows.map(({ message }) => message)).toContain('The evidence is about another token.')
    }
  })

  it('is preserved in any response, because nobody signs that', async () => {
    // Granted with changes.
    const other = tlv(0x30, tlv(0x30, tlv(0x02, Buffer.of(1))), stamp.token)
    expect(await verdict(other, { evidence, revokedAtMs: LATER })).toBe('preserved')
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
