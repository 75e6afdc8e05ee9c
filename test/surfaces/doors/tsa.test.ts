// The time-stamp authority over HTTP: requests and replies byte by byte, its certificates, and the evidence of tokens. The
// replies are read by a reader of the test's own, and by that of Sigstore.
import { createHash, X509Certificate } from 'node:crypto'
import { RFC3161Timestamp, X509Certificate as SigstoreCertificate } from '@sigstore/core'
import pg from 'pg'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { TSA_COMMANDS } from '../../../server/commands/tsa.ts'
import { rotateCertificate } from '../../../server/domain/time_stamps/certificates.ts'
import { createLog } from '../../../server/kernel/log.ts'
import { readConfig } from '../../../server/settings/read_settings.ts'
import { readEvidenceFile } from '../../../shared/evidence/evidence.ts'
import { verifyTimeStamp } from '../../../shared/evidence/verify_time_stamp.ts'
import { ulidTime } from '../../../shared/proof/ids.ts'
import { readTimeStamp } from '../../../shared/time_stamps/read_time_stamp.ts'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { secondCheck, secondEntry } from '../../evidence/second_tree.ts'
import { AMPLE, openTestApp, type TestAppOptions } from '../../support/app.ts'
import { type Answer, type Ask, ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import {
  nonce,
  QUERY_TYPE,
  queryOf,
  type Reply,
  readReply,
  readToken,
  type Token,
  TRUE,
} from '../../support/time_stamps/query.ts'
import { id, readTlv, tlv } from '../../support/time_stamps/second_der.ts'

const OPEN: TestAppOptions = { aggregationIntervalMs: 100 }

const app = testApp(OPEN)
beforeAll(async () => {
  await app.finalize()
  // The first key is made when the service starts.
  await eventually(async () => ((await ask(app.port, '/tsa/certificates')).status === 200 ? true : undefined))
})

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()
const DATA = Buffer.from('a file')
const QUERY = queryOf({ digest: sha256(DATA), rest: [nonce('05'), TRUE] })

const post = (
  body: Ask['body'],
  { headers, ...asked }: Ask = {},
  { port }: { readonly port: number } = app,
): Promise<Answer> =>
  ask(port, '/tsa', {
    method: 'POST',
    headers: { 'Content-Type': QUERY_TYPE, ...headers },
    ...asked,
    ...(body === undefined ? {} : { body }),
  })

async function replyTo(query: Buffer): Promise<Reply> {
  const { status, bytes, headers } = await post(query, { headers: { 'Accept-Encoding': 'br, gzip' } })
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'application/timestamp-reply',
    'content-length': String(bytes.length),
    'cache-control': 'no-store',
  })
  expect(headers).not.toHaveProperty('content-encoding')
  return readReply(bytes)
}

/** What was asked for, and the token itself. */
async function stamped(query = QUERY): Promise<{ token: Token; bytes: Buffer }> {
  const { status, failures, token } = await replyTo(query)
  expect([status, failures]).toEqual([0, []])
  const bytes = token ?? expect.fail('no token')
  return { token: readToken(bytes), bytes }
}

const certificates = async (path = '/tsa/certificates'): Promise<X509Certificate[]> => {
  const { status, text } = await ask(app.port, path)
  expect(status).toBe(200)
  return text
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter((one) => one !== '')
    .map((one) => new X509Certificate(one))
}

describe('POST /tsa', () => {
  it('answers a token over what was asked, with the nearest second and the serial number of its place', async () => {
    const before = Date.now()
    const { token, bytes } = await stamped()
    expect(token.imprint.equals(readTlv(QUERY).inside()[1]?.whole ?? Buffer.of())).toBe(true)
    expect(token.timeMs % 1_000).toBe(0)
    expect(token.timeMs).toBeGreaterThanOrEqual(before - 500)
    expect(token.timeMs).toBeLessThanOrEqual(Date.now() + 500)
    // An accuracy of one second and the nonce; no ordering, no name, no extension.
    expect(token.rest.map(({ whole }) => whole.toString('hex'))).toEqual([
      '3003020101',
      nonce('05').toString('hex'),
    ])
    const [row] = await app.query<{ token_hashes: Buffer }>(
      'SELECT token_hashes FROM aggregation_rounds WHERE number = $1',
      [String(token.serial >> 20n)],
    )
    const index = Number(token.serial & 0xf_ffffn)
    expect(row?.token_hashes.subarray(32 * (index - 1), 32 * index)).toEqual(sha256(bytes))
  })

  it('signs what RFC 3161 and RFC 5816 want signed, in the order of a SET', async () => {
    const { token } = await stamped()
    const [leaf] = await certificates()
    const attributes = new Map(
      token.attributes.map((one) => {
        const [type, values] = one.inside()
        return [type?.whole.toString('hex'), values?.inside() ?? []]
      }),
    )
    const wholes = token.attributes.map(({ whole }) => whole)
    expect(wholes).toEqual(wholes.toSorted(Buffer.compare))
    // contentType, messageDigest, signingTime, signingCertificateV2.
    expect([...attributes.keys()].toSorted()).toEqual([
      '06092a864886f70d010903',
      '06092a864886f70d010904',
      '06092a864886f70d010905',
      '060b2a864886f70d010910022f',
    ])
    const [time] = attributes.get('06092a864886f70d010905') ?? []
    expect(time?.content.toString()).toBe(
      `${new Date(token.timeMs).toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`,
    )
    const [certificate] = attributes.get('060b2a864886f70d010910022f') ?? []
    const hash = tlv(0x04, sha256(leaf?.raw ?? Buffer.of()))
    expect(certificate?.whole.toString('hex')).toBe(tlv(0x30, tlv(0x30, tlv(0x30, hash))).toString('hex'))
  })

  it('is signed data of version 3 with one signature, by the certificate that issuer and serial number name', async () => {
    const { token } = await stamped()
    const [leaf] = await certificates()
    const [version, digests, content, carried, signers, ...more] = token.signedData
    expect([version, digests, content, carried, signers].map((part) => part?.tag)).toEqual([
      ...[0x02, 0x31, 0x30, 0xa0, 0x31],
    ])
    expect([more, version?.content, signers?.inside().length]).toEqual([[], Buffer.of(3), 1])
    expect(digests?.content.toString('hex')).toBe(`300b${id('sha256').toString('hex')}`)
    // id-ct-TSTInfo.
    expect(content?.inside()[0]?.content.toString('hex')).toBe('2a864886f70d0109100104')
    const [, serial, , issuer] =
      readTlv(leaf?.raw ?? Buffer.of())
        .inside()[0]
        ?.inside() ?? []
    const [signerVersion, named] = token.signer
    expect(signerVersion?.content).toEqual(Buffer.of(1))
    expect(named?.inside().map(({ whole }) => whole)).toEqual([issuer?.whole, serial?.whole])
    // Version, name, digest algorithm, signed attributes, algorithm, signature: nothing unsigned.
    expect(token.signer.map(({ tag }) => tag)).toEqual([0x02, 0x30, 0x30, 0xa0, 0x30, 0x04])
  })

  it('is read by Sigstore, which refuses other data and another key', async () => {
    const { bytes } = await post(QUERY)
    const [leaf, root] = await certificates()
    if (leaf === undefined || root === undefined) expect.fail('no chain')
    const timestamp = RFC3161Timestamp.parse(Buffer.from(bytes))
    timestamp.verify(DATA, leaf.publicKey)
    expect(timestamp.signingTime.getTime()).toBe(readToken(readReply(bytes).token ?? Buffer.of()).timeMs)
    expect(() => timestamp.verify(Buffer.from('another'), leaf.publicKey)).toThrow()
    expect(() => timestamp.verify(DATA, root.publicKey)).toThrow()
    const read = SigstoreCertificate.parse(Buffer.from(leaf.raw))
    expect(read.verify(SigstoreCertificate.parse(Buffer.from(root.raw)))).toBe(true)
    expect(read.validForDate(timestamp.signingTime)).toBe(true)
  })

  it('carries certificates when they are asked for, the leaf alone, and none otherwise', async () => {
    const [leaf] = await certificates()
    expect((await stamped()).token.certificates).toEqual([leaf?.raw])
    expect((await stamped(queryOf())).token.certificates).toEqual([])
  })

  it('leaves out the nonce where there was none, and gives back a negative one as it came', async () => {
    expect((await stamped(queryOf())).token.rest).toHaveLength(1)
    const negative = nonce('ff7f')
    expect((await stamped(queryOf({ rest: [negative] }))).token.rest.at(-1)?.whole).toEqual(negative)
  })

  it('names its policy, which a request may name too', async () => {
    const { token } = await stamped()
    const policy = Buffer.from(token.policy, 'hex')
    expect((await stamped(queryOf({ rest: [policy] }))).token.policy).toBe(token.policy)
    // 2.25 and then the id of the first block.
    const [first] = await app.query<{ id: string }>('SELECT id FROM blocks WHERE height = 0')
    const page = await ask(app.port, '/tsa')
    expect(page.text).toContain(`2.25.${BigInt(`0x${first?.id.replaceAll('-', '')}`)}`)
  })

  it('names the policy that the operator has chosen, and no other', async () => {
    const { tsa } = readConfig({ TSA_POLICY: '1.3.6.1.4.1.32473.1.1' }, import.meta.dirname)
    const own = tlv(0x06, Buffer.from('2b0601040181fd590101', 'hex'))
    const other = await openTestApp({ ...OPEN, beside: app, tsa })
    try {
      for (const rest of [[], [own]]) {
        const { bytes } = await post(queryOf({ rest }), {}, other)
        expect(readToken(readReply(bytes).token ?? Buffer.of()).policy).toBe(own.toString('hex'))
      }
      const usual = Buffer.from((await stamped()).token.policy, 'hex')
      const { bytes } = await post(queryOf({ rest: [usual] }), {}, other)
      expect(readReply(bytes).failures).toEqual([15])
      expect((await ask(other.port, '/tsa')).text).toContain('1.3.6.1.4.1.32473.1.1')
    } finally {
      await other.close()
    }
  })

  it('gives each of many requests at once a serial number of its own', async () => {
    const tokens = await Promise.all(Array.from({ length: 60 }, () => stamped()))
    expect(new Set(tokens.map(({ token }) => token.serial)).size).toBe(60)
    expect(new Set(tokens.map(({ token }) => token.serial >> 20n)).size).toBeLessThan(60)
  })

  it.each([
    ['SHA-1', [0], queryOf({ hash: 'sha1', digest: Buffer.alloc(20) })],
    ['MD5', [0], queryOf({ hash: 'md5', digest: Buffer.alloc(16) })],
    ['another version', [2], queryOf({ version: tlv(0x02, Buffer.of(2)) })],
    ['a nonce that is too long', [2], queryOf({ rest: [nonce(`01${'00'.repeat(32)}`)] })],
    ['a digest of another length', [5], queryOf({ digest: Buffer.alloc(20) })],
    ['nothing', [5], Buffer.of()],
    ['a byte too many', [5], Buffer.concat([queryOf(), Buffer.of(0)])],
    ['another policy', [15], queryOf({ rest: [id('other')] })],
    ['an extension', [16], queryOf({ rest: [tlv(0xa0, tlv(0x30, id('other'), tlv(0x04)))] })],
  ])('refuses %s within the protocol, as failInfo %j and in words', async (_, failures, query) => {
    const reply = await replyTo(query)
    expect(reply).toMatchObject({ status: 2, failures, token: undefined })
    expect(reply.words).toMatch(/^[A-Z].*\.$/)
  })

  it.each([
    ['another type', 415, queryOf(), { 'Content-Type': 'application/octet-stream' }],
    ['no type', 415, queryOf(), { 'Content-Type': '' }],
    ['4,097 bytes', 413, Buffer.alloc(4_097), {}],
    ['4,097 bytes of unsaid length', 413, [Buffer.alloc(4_096), Buffer.of(0)], {}],
    ['compressed bytes', 415, queryOf(), { 'Content-Encoding': 'gzip' }],
    ['a credential that is none', 401, queryOf(), { Authorization: 'Bearer wrong' }],
  ])('refuses %s with a plain %i', async (_, status, body, headers) => {
    expect((await post(body, { headers })).status).toBe(status)
  })

  it('charges an address, and tells when it may go on', async () => {
    const limits = { ...AMPLE, LIMIT_AGGREGATION_PER_MINUTE: 1 }
    const poor = await openTestApp({ ...OPEN, beside: app, limits })
    try {
      expect((await post(QUERY, {}, poor)).status).toBe(200)
      const refused = await post(QUERY, {}, poor)
      expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
      expect((await post(QUERY, { key: app.owner.key }, poor)).status).toBe(200)
    } finally {
      await poor.close()
    }
  })

  it('says what it is as a page, and refuses other methods', async () => {
    const page = await ask(app.port, '/tsa')
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`jarsigner -tsa ${app.base}/tsa`)
    expect(page.text).toMatch(/This is not a qualified service/)
    expect(page.text).toMatch(/anybody can see how many tokens there are and when they were made/)
    const put = await ask(app.port, '/tsa', { method: 'PUT' })
    expect([put.status, put.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
    expect((await ask(app.port, '/tsa/anything')).status).toBe(404)
  })

  it('is not there where the door is closed, and says so', async () => {
    const shut = await openTestApp({ ...OPEN, beside: app, publicDoors: ['stamp'] })
    try {
      for (const path of ['/tsa', '/tsa/certificates', '/tsa/evidence/1']) {
        const { status, text } = await ask(shut.port, path)
        expect([status, text]).toEqual([404, expect.stringContaining('PUBLIC_DOORS does not name tsa')])
      }
      expect((await post(QUERY, {}, shut)).status).toBe(404)
    } finally {
      await shut.close()
    }
  })

  it('has no time while the clocks of the server and its database differ, and tells it where people look', async () => {
    const [found] = await app.query<{ name: string }>('SELECT current_database() AS name')
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    // Of connections that are opened from now on.
    await admin.query(`ALTER DATABASE ${found?.name} SET pharos.clock_offset = '3 seconds'`)
    const other = await openTestApp({ ...OPEN, beside: app })
    try {
      const health = async () => (await ask(other.port, '/health/ready')).json()
      expect(await health()).toMatchObject({ ready: true, time_stamp_clock: 'ok' })
      const { status, bytes } = await post(QUERY, {}, other)
      expect([status, readReply(bytes)]).toEqual([
        200,
        expect.objectContaining({ status: 2, failures: [14] }),
      ])
      // It is told again for a moment before it is looked at again.
      await expect
        .poll(health, { timeout: 30_000 })
        .toMatchObject({ ready: true, time_stamp_clock: 'database_differs' })
      const { text } = await ask(other.port, '/metrics')
      expect(text).toMatch(/^pharos_time_stamp_clock_off 1$/m)
    } finally {
      await other.close()
      await admin.query(`ALTER DATABASE ${found?.name} RESET pharos.clock_offset`)
      await admin.end()
    }
  })

  it('is counted by outcome', async () => {
    await replyTo(QUERY)
    await replyTo(Buffer.of())
    const { text } = await ask(app.port, '/metrics')
    for (const outcome of ['granted', 'bad_data_format'])
      expect(text).toMatch(new RegExp(`pharos_time_stamps_total\\{outcome="${outcome}"\\} [1-9]`))
  })
})

describe('the command of a rotation', () => {
  it('makes a certificate, and says which', async () => {
    const printed: string[] = []
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text))
      return true
    })
    const { store, masterKey, base } = app
    const log = createLog('silent')
    try {
      const run = TSA_COMMANDS['tsa rotate']?.run
      expect(await run?.({ store, masterKey, base, log }, {}, [])).toBe(0)
      await expect(run?.({ store, masterKey, base, log }, { 'key-type': 'dsa' }, [])).rejects.toThrow(
        'p256 or rsa',
      )
    } finally {
      spy.mockRestore()
    }
    const [leaf] = await certificates('/tsa/certificates?all')
    expect(printed.join('')).toContain(`Its SHA-256 is ${sha256(leaf?.raw ?? Buffer.of()).toString('hex')}.`)
  })
})

describe('a rotation', () => {
  it('changes who signs on every server, and the former leaf is kept among all', async () => {
    const { token: former } = await stamped()
    const before = await certificates('/tsa/certificates?all')
    const sealing = { em: app.store.em(), masterKey: app.masterKey }
    const made = await rotateCertificate(sealing, 'p256')
    const other = await openTestApp({ ...OPEN, beside: app })
    try {
      const { bytes } = await post(QUERY, {}, other)
      const later = readToken(readReply(bytes).token ?? Buffer.of())
      expect(later.certificates).toEqual([made.chain[0]])
      expect(later.certificates).not.toEqual(former.certificates)
    } finally {
      await other.close()
    }
    const all = await certificates('/tsa/certificates?all')
    expect(all.map(({ raw }) => raw)).toEqual([made.chain[0], ...before.map(({ raw }) => raw)])
    expect(all.map(({ raw }) => raw)).toContainEqual(former.certificates[0])
  })

  it('refuses nobody while many ask, and every token is valid by the root, whichever leaf signed it', async () => {
    const replies: Buffer[] = []
    const asking = new Set([app])
    let isOver = false
    const clients = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (!isOver) for (const { port } of asking) replies.push((await post(QUERY, {}, { port })).bytes)
      }),
    )
    const others: (typeof app)[] = []
    try {
      for (let nth = 0; nth < 3; nth += 1) {
        await rotateCertificate({ em: app.store.em(), masterKey: app.masterKey }, 'p256')
        // The one that runs looks at the certificates three times a minute. This one has not looked yet.
        const other = await openTestApp({ ...OPEN, beside: app })
        others.push(other)
        asking.add(other)
        const before = replies.length
        await eventually(() => (replies.length >= before + 50 ? true : undefined))
      }
      isOver = true
      await clients
    } finally {
      isOver = true
      await clients.catch(() => undefined)
      for (const other of others) await other.close()
    }
    const chain = await certificates()
    const roots = [chain.at(-1)?.raw ?? expect.fail('no root')]
    const told = (await certificates('/tsa/certificates?all')).map(({ raw }) => raw)
    const leaves = new Set<string>()
    for (const reply of replies) {
      const stamp = readTimeStamp(reply)
      expect((await verifyTimeStamp(stamp, { roots }, sha256(DATA))).verdict).toBe('valid')
      expect(told).toContainEqual(Buffer.from(stamp.certificates[0] ?? []))
      leaves.add(sha256(stamp.certificates[0] ?? Buffer.of()).toString('hex'))
    }
    expect(leaves.size).toBeGreaterThanOrEqual(3)
    expect(new Set(replies.map((reply) => readTimeStamp(reply).serial)).size).toBe(replies.length)
  })
})

describe('GET /tsa/evidence/<serial>', () => {
  const evidence = (serial: string) => ask(app.port, `/tsa/evidence/${serial}`)

  it('is a receipt at once, and has the proof when there is one', async () => {
    const { token, bytes } = await stamped()
    const serial = token.serial.toString(16).toUpperCase()
    const receipt = await evidence(serial)
    expect([receipt.status, receipt.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(receipt.headers['content-type']).toBe('application/vnd.pharos.evidence+json')
    const read = readEvidenceFile(receipt.text)
    expect(read).toMatchObject({ bundle: undefined, digest: { type: 'rfc3161-token' } })
    expect(Buffer.from(read.digest.value)).toEqual(sha256(bytes))
    const [tree] = read.trees
    const { round } = JSON.parse(receipt.text).item.claims.metadata
    expect((BigInt(round) << 20n) | BigInt(tree?.index ?? 0)).toBe(token.serial)
    const { hash } = JSON.parse(receipt.text).item.claims
    const entry = secondEntry({ type: 'rfc3161-token', value: sha256(bytes) })
    expect(secondCheck(tree ?? expect.fail('no tree'), entry, Buffer.from(hash, 'hex'))).toBe(true)
    expect(Math.abs(ulidTime(read.item.id) - token.timeMs)).toBeLessThan(10_000)
    await app.finalize()
    await commitBlocks({ em: app.store.em() })
    const proven = await eventually(async () => {
      const answer = await evidence(serial)
      return readEvidenceFile(answer.text).bundle === undefined ? undefined : answer
    })
    expect(proven.headers['cache-control']).toMatch(/^public, max-age=/)
  })

  it.each([
    ['the entry of the round itself', (serial: bigint) => (serial >> 20n) << 20n],
    ['a place that the round does not have', (serial: bigint) => serial | 0xf_ffffn],
    ['a round that is not there', (serial: bigint) => serial + (1n << 40n)],
  ])('knows nothing of %s', async (_, other) => {
    const { token } = await stamped()
    expect((await evidence(other(token.serial).toString(16))).status).toBe(404)
  })

  it.each(['', '0x1', 'xyz', '-1', '1'.repeat(40), 'ffffffffffffffff', '0'])('refuses %j', async (serial) => {
    expect((await evidence(serial)).status).toBe(404)
  })

  it('knows no round of digests', async () => {
    const stampedDigest = await ask(app.port, '/stamp', {
      body: JSON.stringify({ digests: [{ type: 'sha256', value: sha256(DATA).toString('hex') }] }),
      headers: { 'Content-Type': 'application/json' },
    })
    const number = JSON.parse(stampedDigest.text).evidence[0].item.claims.metadata.round
    expect((await evidence(((BigInt(number) << 20n) | 1n).toString(16))).status).toBe(404)
  })
})
