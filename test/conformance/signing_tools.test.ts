// Tools that sign what people publish have it time-stamped here, and verify it by the root of the authority: `jarsigner` of
// Java, `osslsigncode` for Windows, and the clients that Sigstore uses, of npm and of the Python index. What they have kept of
// it outlives the certificates. What is not installed is left out, loudly.
import { execFile, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RFC3161Timestamp, X509Certificate } from '@sigstore/core'
import { type SignedEntity, Verifier } from '@sigstore/verify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateCertificate } from '../../server/domain/time_stamps/certificates.ts'
import { verifiedLongAfter } from '../client/long_after.ts'
import { openTestApp } from '../support/app.ts'
import { ask, eventually } from '../support/http.ts'
import { pythonPackage } from '../support/python_package.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { testApp } from '../support/test_app.ts'
import { QUERY_TYPE, queryOf, readReply, TRUE } from '../support/time_stamps/query.ts'
import { readTlv } from '../support/time_stamps/second_der.ts'

/** All of them, or none is any use. */
function areHere(...tools: readonly string[]): boolean {
  const are = tools.every((tool) => spawnSync(tool, ['-help']).error === undefined)
  if (!are) console.warn(`LEFT OUT: what needs ${tools.join(', ')}, because that is not installed.`)
  return are
}

const app = testApp({ aggregationIntervalMs: 100 })
let folder: string
beforeAll(async () => {
  await app.finalize()
  folder = await makeTemporaryFolder('pharos-signing-')
  const { text } = await eventually(async () => {
    const answer = await ask(app.port, '/tsa/certificates')
    return answer.status === 200 ? answer : undefined
  })
  await writeFile(join(folder, 'root.pem'), text.slice(text.lastIndexOf('-----BEGIN')))
  await writeFile(join(folder, 'data'), 'a file')
})
afterAll(() => rm(folder, { recursive: true }))

/** What it prints. @throws when it ends with another code than 0 */
async function run(tool: string, ...words: readonly string[]): Promise<string> {
  const options = { cwd: folder, timeout: 120_000, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } }
  const { stdout, stderr } = await promisify(execFile)(tool, [...words], options)
  return `${stdout}${stderr}`
}

/** What comes of it before and after a rotation. */
async function acrossRotation<T>(work: (service: string, name: string) => Promise<T>): Promise<T[]> {
  const before = await work(app.base, 'before')
  await rotateCertificate({ em: app.store.em(), masterKey: app.masterKey }, 'p256')
  // One that has not looked at the certificates yet.
  const other = await openTestApp({ beside: app, aggregationIntervalMs: 100 })
  try {
    return [before, await work(other.base, 'after')]
  } finally {
    await other.close()
  }
}

/** The one value of an unsigned attribute of a signature, such as the token in it. @param id in DER, as hex */
function valueIn(id: string, signature: Buffer): Buffer {
  const begins = signature.indexOf(id, 0, 'hex')
  if (begins < 0) throw new Error('There is no token in it.')
  const at = begins + id.length / 2
  // A SET, whose length takes two bytes.
  const [value] = readTlv(signature.subarray(at, at + 4 + signature.readUInt16BE(at + 2))).inside()
  return value?.whole ?? expect.fail('no value')
}

const PRESERVED = { code: 0, out: expect.stringMatching(/^Preserved$/m) }

const STORE = ['-keystore', 'keys.p12', '-storepass', 'changeit']

describe.skipIf(!areHere('jar', 'keytool', 'jarsigner'))('jarsigner', { timeout: 300_000 }, () => {
  it('takes tokens of before and after a rotation, and verifies them by the root; what it has kept is preserved long after', async () => {
    await run('keytool', '-genkeypair', ...STORE, '-alias', 'me', '-dname', 'CN=me', '-keyalg', 'EC')
    await run('keytool', '-importcert', ...STORE, '-noprompt', '-alias', 'tsa', '-file', 'root.pem')
    const units = await acrossRotation(async (service, name) => {
      const archive = `${name}.jar`
      await run('jar', 'cf', archive, 'data')
      const signed = await run('jarsigner', ...STORE, '-tsa', `${service}/tsa`, archive, 'me')
      expect(signed).toContain('jar signed.')
      const verified = await run('jarsigner', '-verify', '-strict', '-verbose', '-certs', ...STORE, archive)
      expect(verified).toContain('jar verified.')
      expect(verified).not.toMatch(/TSA certificate chain is invalid|timestamp .* invalid/i)
      const [, mark] = /Timestamped by "CN=Pharos time-stamp unit ([0-9a-f]{8})" on /.exec(verified) ?? []
      return mark ?? expect.fail(verified)
    })
    expect(new Set(units).size).toBe(2)
    const tokens: Buffer[] = []
    for (const name of ['before', 'after']) {
      await run('jar', 'xf', `${name}.jar`, 'META-INF/ME.EC')
      const signature = await readFile(join(folder, 'META-INF', 'ME.EC'))
      // id-aa-timeStampToken.
      tokens.push(valueIn('060b2a864886f70d010910020e', signature))
    }
    for (const said of await verifiedLongAfter(app, tokens)) expect(said).toMatchObject(PRESERVED)
  })
})

describe.skipIf(!areHere('osslsigncode', 'openssl'))('osslsigncode', { timeout: 300_000 }, () => {
  it('takes tokens of before and after a rotation, and verifies them by the root; what it has kept is preserved long after', async () => {
    const purpose = ['-addext', 'extendedKeyUsage=codeSigning', '-addext', 'keyUsage=digitalSignature']
    const own = ['-keyout', 'code.key', '-out', 'code.pem', '-subj', '/CN=me', ...purpose]
    await run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...own)
    await writeFile(join(folder, 'hello.ps1'), 'Write-Output "Hello"\r\n')
    const tokens = await acrossRotation(async (service, name) => {
      const [signed, by] = [`${name}.ps1`, ['-certs', 'code.pem', '-key', 'code.key', '-h', 'sha256']]
      await run('osslsigncode', 'sign', ...by, '-ts', `${service}/tsa`, '-in', 'hello.ps1', '-out', signed)
      const verify = (...roots: readonly string[]) =>
        run('osslsigncode', 'verify', '-CAfile', 'code.pem', ...roots, '-in', signed)
      const verified = await verify('-TSA-CAfile', 'root.pem')
      expect(verified).toMatch(/Timestamp Server Signature verification: ok/)
      expect(verified).toMatch(/^Succeeded$/m)
      expect(await verify('-TSA-CAfile', 'code.pem').catch(({ stdout }) => stdout)).toMatch(
        /Timestamp Server Signature verification: failed/,
      )
      const text = await readFile(join(folder, signed), 'latin1')
      const block = text.split(/# SIG # (?:Begin|End) signature block/)[1] ?? ''
      // SPC_RFC3161_OBJID.
      return valueIn('060a2b060104018237030301', Buffer.from(block.replaceAll(/[#\s]/g, ''), 'base64'))
    })
    for (const said of await verifiedLongAfter(app, tokens)) expect(said).toMatchObject(PRESERVED)
  })
})

describe('@sigstore/verify', { timeout: 300_000 }, () => {
  const DATA = Buffer.from('a file')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  /** What a bundle of Sigstore says: a signature, and the time stamp of it. */
  const entityOf = (signature: Buffer, reply: Buffer): SignedEntity => ({
    signature: {
      signature,
      compareSignature: (other) => other.equals(signature),
      compareDigest: () => false,
      compareSignedDigest: () => false,
      verifySignature: (key) => verify('sha256', DATA, key, signature),
    },
    key: { $case: 'public-key', hint: '' },
    timestamps: [{ $case: 'timestamp-authority', timestamp: RFC3161Timestamp.parse(Buffer.from(reply)) }],
    tlogEntries: [],
  })
  /** For whom this authority counts, and nobody else. */
  const readerOf = (chain: string): Verifier => {
    const certChain = (chain.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map((pem) =>
      X509Certificate.parse(pem),
    )
    const validFor = { start: new Date(0), end: new Date(Date.UTC(2100, 0)) }
    return new Verifier(
      {
        ...{ certificateAuthorities: [], tlogs: [], ctlogs: [] },
        timestampAuthorities: [{ certChain, validFor }],
        publicKey: () => ({ publicKey, validFor: () => true }),
      },
      { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 1 },
    )
  }

  it('takes tokens of before and after a rotation by the chain that signed each; they are preserved long after', async () => {
    const made = await acrossRotation(async (service) => {
      const port = Number(new URL(service).port)
      const signature = sign('sha256', DATA, privateKey)
      const digest = createHash('sha256').update(signature).digest()
      const body = queryOf({ digest, rest: [TRUE] })
      const { bytes } = await ask(port, '/tsa', { body, headers: { 'Content-Type': QUERY_TYPE } })
      const { text } = await ask(port, '/tsa/certificates')
      return { signature, reply: bytes, reader: readerOf(text) }
    })
    const [before, after] = made
    if (before === undefined || after === undefined) expect.fail('not both')
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      expect(one.reader.verify(entityOf(one.signature, one.reply)).key).toBe(publicKey)
      const refusal = 'timestamp could not be verified'
      expect(() => other.reader.verify(entityOf(one.signature, one.reply))).toThrow(refusal)
      expect(() => one.reader.verify(entityOf(other.signature, one.reply))).toThrow(refusal)
    }
    const tokens = made.map(({ reply }) => readReply(reply).token ?? expect.fail('no token'))
    for (const said of await verifiedLongAfter(app, tokens)) expect(said).toMatchObject(PRESERVED)
  })
})

const found = await pythonPackage('rfc3161-client', '1.0.9')

const PYTHON = `
import sys, urllib.request
from cryptography import x509
from rfc3161_client import *

service, root = sys.argv[1:]
data = b"a file"
for algorithm in HashAlgorithm:
    query = TimestampRequestBuilder().data(data).hash_algorithm(algorithm).build()
    headers = {"Content-Type": "application/timestamp-query"}
    request = urllib.request.Request(service + "/tsa", query.as_bytes(), headers)
    response = decode_timestamp_response(urllib.request.urlopen(request).read())
    certificate = x509.load_pem_x509_certificate(open(root, "rb").read())
    verifier = VerifierBuilder.from_request(query).add_root_certificate(certificate).build()
    assert verifier.verify_message(response, data)
    try:
        verifier.verify_message(response, b"another file")
    except VerificationError as error:
        print(algorithm.name, "verified;", error)
`

describe.skipIf(found === undefined)('rfc3161-client', { timeout: 300_000 }, () => {
  it('takes tokens of before and after a rotation, and verifies them by the root', async () => {
    await writeFile(join(folder, 'client.py'), PYTHON)
    const said = await acrossRotation(async (service) =>
      found?.python(folder, 'client.py', service, 'root.pem'),
    )
    const words = 'SHA256 verified; Mismatch between messages\nSHA512 verified; Mismatch between messages\n'
    for (const one of said) expect(one).toEqual({ code: 0, said: words })
  })
})
