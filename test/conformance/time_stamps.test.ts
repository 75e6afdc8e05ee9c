// The time-stamp authority as the tools that people have see it: OpenSSL asks, reads the replies back and verifies them, as
// its own tests of its own authority do. Where it is not installed, this is left out, loudly.
import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateCertificate } from '../../server/domain/time_stamps/certificates.ts'
import {
  FAILURES,
  rejectedReply,
  TimeStampRefused,
} from '../../server/domain/time_stamps/time_stamp_request.ts'
import { readConfig } from '../../server/settings/read_settings.ts'
import { verifiedLongAfter } from '../client/long_after.ts'
import { openTestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { testApp } from '../support/test_app.ts'
import { openssl } from '../support/time_stamps/openssl.ts'
import { QUERY_TYPE, queryOf, readReply } from '../support/time_stamps/query.ts'
import { tlv } from '../support/time_stamps/second_der.ts'

const run = openssl()

const app = testApp({ aggregationIntervalMs: 100 })
let folder: string
beforeAll(async () => {
  await app.finalize()
  folder = await makeTemporaryFolder('pharos-tsa-')
  await writeFile(join(folder, 'data'), 'a file')
  await writeFile(join(folder, 'other'), 'another file')
  await certificatesOf(app.port)
})
afterAll(() => rm(folder, { recursive: true }))

/** Writes the chain of the authority as `chain.pem`, and its root alone as `root.pem`. */
async function certificatesOf(port: number): Promise<void> {
  // Its first key may still be in the making.
  const { text } = await eventually(async () => {
    const answer = await ask(port, '/tsa/certificates')
    return answer.status === 200 ? answer : undefined
  })
  const root = text.slice(text.lastIndexOf('-----BEGIN'))
  await writeFile(join(folder, 'chain.pem'), text)
  await writeFile(join(folder, 'root.pem'), root)
}

const ts = async (...words: readonly string[]) =>
  (await run?.(folder, 'ts', ...words)) ?? expect.fail('no client')

const done = async (...words: readonly string[]): Promise<string> => {
  const { code, said } = await ts(...words)
  expect(code, said).toBe(0)
  return said
}

async function send(query: Uint8Array, name: string, { port } = app): Promise<void> {
  const { status, bytes } = await ask(port, '/tsa', { body: query, headers: { 'Content-Type': QUERY_TYPE } })
  expect(status).toBe(200)
  await writeFile(join(folder, `${name}.tsr`), bytes)
}

/** Makes `NAME.tsq` by OpenSSL, and `NAME.tsr` by the service. */
async function stamp(name: string, ...options: readonly string[]): Promise<void> {
  await done('-query', '-data', 'data', '-out', `${name}.tsq`, ...options)
  await send(await readFile(join(folder, `${name}.tsq`)), name)
}

const BY_ROOT = ['-CAfile', 'root.pem', '-x509_strict']
const verify = (name: string, ...options: readonly string[]) =>
  ts('-verify', '-in', `${name}.tsr`, ...options)
const OK = { code: 0, said: expect.stringContaining('Verification: OK') }
const failed = (why: RegExp) => ({ code: 1, said: expect.stringMatching(why) })

describe.skipIf(run === undefined)('OpenSSL', () => {
  it.each(['sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'])(
    'verifies a reply over %s by its request, the data and the digest',
    async (hash) => {
      await stamp(hash, `-${hash}`, '-cert')
      const digest = createHash(hash).update('a file').digest('hex')
      for (const by of [
        ['-queryfile', `${hash}.tsq`],
        ['-data', 'data'],
        ['-digest', digest],
      ])
        expect(await verify(hash, ...by, ...BY_ROOT)).toMatchObject(OK)
    },
  )

  it('verifies a token without certificates when it is given them, and not without', async () => {
    await stamp('bare')
    expect(
      await verify('bare', '-queryfile', 'bare.tsq', ...BY_ROOT, '-untrusted', 'chain.pem'),
    ).toMatchObject(OK)
    expect((await verify('bare', '-queryfile', 'bare.tsq', ...BY_ROOT)).code).toBe(1)
  })

  it('verifies the token alone, taken out of the reply', async () => {
    await stamp('whole', '-cert')
    await done('-reply', '-in', 'whole.tsr', '-token_out', '-out', 'alone.tsr')
    const token = ['-token_in', ...BY_ROOT]
    expect(await verify('alone', '-queryfile', 'whole.tsq', ...token)).toMatchObject(OK)
    expect(await verify('alone', '-data', 'data', ...token)).toMatchObject(OK)
  })

  it('verifies one without a nonce, and one that named the policy', async () => {
    await stamp('plain', '-cert', '-no_nonce')
    expect(await verify('plain', '-queryfile', 'plain.tsq', ...BY_ROOT)).toMatchObject(OK)
    const policy = /^Policy OID: (\S+)$/m.exec(await done('-reply', '-in', 'plain.tsr', '-text'))?.[1] ?? ''
    expect(policy).toMatch(/^2\.25\.\d+$/)
    await stamp('named', '-cert', '-tspolicy', policy)
    expect(await verify('named', '-queryfile', 'named.tsq', ...BY_ROOT)).toMatchObject(OK)
  })

  it('reads from a reply what was asked, the accuracy, and that order and name are not told', async () => {
    await stamp('read', '-cert')
    const asked = await done('-query', '-in', 'read.tsq', '-text')
    const said = await done('-reply', '-in', 'read.tsr', '-text')
    expect(said).toContain('Status: Granted.')
    expect(said).toContain('Accuracy: 0x01 seconds, unspecified millis, unspecified micros')
    expect(said).toMatch(/Ordering: no\n[\s\S]*TSA: unspecified\nExtensions:\n/)
    expect(/Nonce: (\w+)/.exec(said)?.[1]).toBe(/Nonce: (\w+)/.exec(asked)?.[1])
    expect(said).toMatch(/Serial number: 0x[0-9A-F]{16}\n/)
  })

  it('finds that a reply is about another request, other data, another digest, or by another root', async () => {
    await stamp('one', '-cert')
    await stamp('two', '-cert')
    expect(await verify('one', '-queryfile', 'two.tsq', ...BY_ROOT)).toMatchObject(failed(/nonce mismatch/))
    expect(await verify('one', '-data', 'other', ...BY_ROOT)).toMatchObject(failed(/imprint mismatch/))
    const digest = createHash('sha256').update('another file').digest('hex')
    expect(await verify('one', '-digest', digest, ...BY_ROOT)).toMatchObject(failed(/imprint mismatch/))
    const stranger = await openTestApp({ aggregationIntervalMs: 100 })
    try {
      await certificatesOf(stranger.port)
      expect(await verify('one', '-queryfile', 'one.tsq', ...BY_ROOT)).toMatchObject(
        failed(/certificate verify error/),
      )
    } finally {
      await stranger.close()
      await certificatesOf(app.port)
    }
  })

  /** What it says to each failInfo. */
  const WORDS = {
    bad_alg: 'unrecognized or unsupported algorithm identifier',
    bad_request: 'transaction not permitted or supported',
    bad_data_format: 'the data submitted has the wrong format',
    time_not_available: "the TSA's time source is not available",
    unaccepted_policy: 'the requested TSA policy is not supported by the TSA',
    unaccepted_extension: 'the requested extension is not supported by the TSA',
    system_failure: 'the request cannot be handled due to system failure',
  } as const satisfies Record<keyof typeof FAILURES, string>

  const readsAs = async (name: string, failure: keyof typeof WORDS) => {
    const said = await done('-reply', '-in', `${name}.tsr`, '-text')
    expect(said).toContain('Status: Rejected.')
    expect(said).toContain(`Failure info: ${WORDS[failure]}\n`)
    expect((await verify(name, '-data', 'data', ...BY_ROOT)).code).toBe(1)
  }

  const NAMED = tlv(0x06, Buffer.of(0x2a, 3, 4))
  it.each([
    ['another version', 'bad_request', queryOf({ version: tlv(0x02, Buffer.of(2)) })],
    ['a digest of another length', 'bad_data_format', queryOf({ digest: Buffer.alloc(20) })],
    ['another policy', 'unaccepted_policy', queryOf({ rest: [NAMED] })],
    ['an extension', 'unaccepted_extension', queryOf({ rest: [tlv(0xa0, tlv(0x30, NAMED, tlv(0x04)))] })],
  ] as const)('reads the refusal of %s as %s', async (name, failure, query) => {
    await send(query, name)
    await readsAs(name, failure)
  })

  it.each(['md5', 'sha1', 'sha224', 'sha512-256'])(
    'reads the refusal of what it asked for over %s as bad_alg',
    async (hash) => {
      await stamp(hash, `-${hash}`)
      await readsAs(hash, 'bad_alg')
    },
  )

  it('reads every refusal that there is as what it is', async () => {
    const failures = Object.keys(FAILURES) as (keyof typeof FAILURES)[]
    for (const failure of failures) {
      const reply = rejectedReply(new TimeStampRefused(failure, 'Why it was refused.'))
      await writeFile(join(folder, `${failure}.tsr`), reply)
      await readsAs(failure, failure)
      expect(await done('-reply', '-in', `${failure}.tsr`, '-text')).toContain('Why it was refused.')
    }
  })

  it('verifies tokens of before and after a rotation by one root, which their evidence preserves long after', async () => {
    await stamp('before', '-cert')
    await rotateCertificate({ em: app.store.em(), masterKey: app.masterKey }, 'p256')
    const other = await openTestApp({ beside: app, aggregationIntervalMs: 100 })
    try {
      await done('-query', '-data', 'data', '-cert', '-out', 'after.tsq')
      await send(await readFile(join(folder, 'after.tsq')), 'after', other)
    } finally {
      await other.close()
    }
    const tokens: Buffer[] = []
    for (const name of ['before', 'after']) {
      expect(await verify(name, '-queryfile', `${name}.tsq`, ...BY_ROOT)).toMatchObject(OK)
      tokens.push(readReply(await readFile(join(folder, `${name}.tsr`))).token ?? expect.fail('no token'))
    }
    for (const said of await verifiedLongAfter(app, tokens))
      expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^Preserved$/m) })
  })

  it('verifies tokens that are signed by RSA', async () => {
    const { tsa } = readConfig({ TSA_KEY_TYPE: 'rsa' }, import.meta.dirname)
    const rsa = await openTestApp({ beside: app, aggregationIntervalMs: 100, tsa })
    try {
      await certificatesOf(rsa.port)
      await done('-query', '-data', 'data', '-cert', '-out', 'rsa.tsq')
      await send(await readFile(join(folder, 'rsa.tsq')), 'rsa', rsa)
      expect(await verify('rsa', '-queryfile', 'rsa.tsq', ...BY_ROOT)).toMatchObject(OK)
      expect(await done('-reply', '-in', 'rsa.tsr', '-text')).toContain('Granted')
    } finally {
      await rsa.close()
      await certificatesOf(app.port)
    }
  })
})
