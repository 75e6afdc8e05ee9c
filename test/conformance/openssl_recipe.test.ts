// The 22 cases of OpenSSL's own test of its time-stamp authority (test/recipes/80-test_tsa.t), each by its name. Here the
// authority is this service, with certificates that an operator has made by OpenSSL, and `openssl ts` is the client. Where
// OpenSSL is not installed, this is left out, loudly.
import { createHash, X509Certificate } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/settings/read_settings.ts'
import { readBroughtCertificate } from '../../server/start/brought_files.ts'
import { verifyTimeStamp } from '../../shared/evidence/verify_time_stamp.ts'
import { readTimeStamp } from '../../shared/time_stamps/read_time_stamp.ts'
import { openDesk } from '../client/run_pharos.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { ask } from '../support/http.ts'
import { makeTemporaryFolder } from '../support/temporary_folder.ts'
import { openssl } from '../support/time_stamps/openssl.ts'
import { QUERY_TYPE, readReply, readToken } from '../support/time_stamps/query.ts'

const run = openssl()

const POLICIES = ['1.3.6.1.4.1.32473.1.1', '1.3.6.1.4.1.32473.1.2'] as const

/** What certificates are for, and an authority of OpenSSL itself, whose tokens name every certificate of the chain. */
const CONFIG = `
[req]
distinguished_name = name
[name]
[ca]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[intermediate]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[tsa_cert]
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[non_tsa_cert]
keyUsage = critical,digitalSignature
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[own_tsa]
serial = own_serial
signer_cert = unit.pem
signer_key = unit_key.pem
certs = between.pem
signer_digest = sha256
default_policy = ${POLICIES[0]}
digests = sha256
ess_cert_id_chain = yes
ess_cert_id_alg = sha256
[revoking]
database = index.txt
default_md = sha256
default_crl_days = 30
crl_extensions = crl
[crl]
authorityKeyIdentifier = keyid
`

let folder: string
beforeAll(async () => {
  folder = await makeTemporaryFolder('pharos-recipe-')
  await writeFile(join(folder, 'CAtsa.cnf'), CONFIG)
  await writeFile(join(folder, 'testtsa'), 'What the tests are about.\n')
})
afterAll(() => rm(folder, { recursive: true }))

/** What OpenSSL says. It ends with 0, or the test. */
async function ok(...words: readonly string[]): Promise<string> {
  const { code, said } = (await run?.(folder, ...words)) ?? expect.fail('no client')
  expect(code, said).toBe(0)
  return said
}

const bytesOf = (name: string): Promise<Buffer> => readFile(join(folder, name))
const certificate = async (name: string): Promise<X509Certificate> =>
  new X509Certificate(await bytesOf(`${name}.pem`))

const RSA = ['rsa:2048']
const P384 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384']
const asks = (name: string, subject: string, key: readonly string[]) => [
  ...['req', '-config', 'CAtsa.cnf', '-new', '-newkey', ...key, '-nodes', '-subj', `/CN=${subject}`],
  ...['-keyout', `${name}_key.pem`],
]

const root = (name: string, subject: string) =>
  ok(...asks(name, subject, RSA), '-x509', '-days', '30', '-extensions', 'ca', '-out', `${name}.pem`)

async function certified(name: string, by: string, purpose: string, key = RSA): Promise<void> {
  await ok(...asks(name, name, key), '-out', `${name}_req.pem`)
  const issuer = ['-CA', `${by}.pem`, '-CAkey', `${by}_key.pem`, '-CAcreateserial']
  const extensions = ['-extfile', 'CAtsa.cnf', '-extensions', purpose]
  const request = ['-req', '-in', `${name}_req.pem`, '-days', '20', '-out', `${name}.pem`]
  await ok('x509', ...request, ...issuer, ...extensions)
}

/** Settings under which the service signs with the first of these. */
async function broughtChain(...names: readonly string[]): Promise<{ certificate: string; key: string }> {
  const file = join(folder, `${names[0]}_chain.pem`)
  await writeFile(file, Buffer.concat(await Promise.all(names.map((name) => bytesOf(`${name}.pem`)))))
  return { certificate: file, key: join(folder, `${names[0]}_key.pem`) }
}

async function authority(chain: readonly string[], policy: string, beside?: TestApp): Promise<TestApp> {
  const { certificate, key } = await broughtChain(...chain)
  const settings = { TSA_CERTIFICATE: certificate, TSA_KEY: key, TSA_POLICY: policy }
  const { tsa } = readConfig(settings, folder)
  return openTestApp({ aggregationIntervalMs: 100, tsa, ...(beside === undefined ? {} : { beside }) })
}

async function createResponse(query: string, reply: string, { port }: TestApp): Promise<void> {
  const headers = { 'Content-Type': QUERY_TYPE }
  const { status, bytes } = await ask(port, '/tsa', { body: await bytesOf(query), headers })
  expect(status).toBe(200)
  await writeFile(join(folder, reply), bytes)
}

const FIRST_CA = ['-CAfile', 'tsaca.pem', '-untrusted', 'tsa_cert1.pem', '-x509_strict']

const verify = async (...words: readonly string[]) =>
  (await run?.(folder, 'ts', '-verify', ...words)) ?? expect.fail('no client')

async function verifyResponse(query: string, reply: string, data: string): Promise<void> {
  for (const by of [
    ['-queryfile', query],
    ['-data', data],
  ])
    expect(await verify(...by, '-in', reply, ...FIRST_CA)).toMatchObject({
      code: 0,
      said: expect.stringContaining('Verification: OK'),
    })
}

const verifyResponseFails = async (query: string, reply: string, why: RegExp): Promise<void> =>
  expect(await verify('-queryfile', query, '-in', reply, ...FIRST_CA)).toMatchObject({
    code: 1,
    said: expect.stringMatching(why),
  })

describe.skipIf(run === undefined)('80-test_tsa', { timeout: 300_000 }, () => {
  it('1: creating a new CA for the TSA tests', async () => {
    await root('tsaca', 'The CA of the tests')
    expect((await certificate('tsaca')).ca).toBe(true)
  })

  it('2: creating tsa_cert1.pem TSA server cert', async () => {
    await certified('tsa_cert1', 'tsaca', 'tsa_cert')
    const taken = await readBroughtCertificate(await broughtChain('tsa_cert1', 'tsaca'))
    expect(taken?.chain).toHaveLength(2)
  })

  it('3: creating tsa_cert2.pem non-TSA server cert, with which no service starts', async () => {
    await certified('tsa_cert2', 'tsaca', 'non_tsa_cert')
    await expect(readBroughtCertificate(await broughtChain('tsa_cert2', 'tsaca'))).rejects.toThrow(
      'the one purpose of the leaf must be timeStamping',
    )
  })

  describe('by the service', () => {
    /** One for each policy, because a service has one. */
    const services: TestApp[] = []
    const service = (nth: 0 | 1): TestApp => services[nth] ?? expect.fail('not open')
    beforeAll(async () => {
      services.push(await authority(['tsa_cert1', 'tsaca'], POLICIES[0]))
      services.push(await authority(['tsa_cert1', 'tsaca'], POLICIES[1], service(0)))
    })
    afterAll(async () => {
      for (const one of services.splice(0).reverse()) await one.close()
    })

    it('4: creating req1.req time stamp request for file testtsa', async () => {
      const asked = ['-data', 'testtsa', '-tspolicy', POLICIES[0], '-cert']
      await ok('ts', '-query', ...asked, '-out', 'req1.tsq')
    })

    it('5: printing req1.req', async () => {
      const said = await ok('ts', '-query', '-in', 'req1.tsq', '-text')
      expect(said).toContain(`Policy OID: ${POLICIES[0]}\n`)
      expect(said).toMatch(/Hash Algorithm: sha256\n[\s\S]*Nonce: 0x[0-9A-F]+\nCertificate required: yes\n/)
    })

    it('6: generating valid response for req1.req', () => createResponse('req1.tsq', 'resp1.tsr', service(0)))

    it('7: printing response', async () => {
      const said = await ok('ts', '-reply', '-in', 'resp1.tsr', '-text')
      expect(said).toContain('Status: Granted.')
      expect(said).toContain(`Policy OID: ${POLICIES[0]}\n`)
    })

    it('8: verifying valid response', () => verifyResponse('req1.tsq', 'resp1.tsr', 'testtsa'))

    it('9: verifying valid token', async () => {
      await ok('ts', '-reply', '-in', 'resp1.tsr', '-out', 'resp1.token', '-token_out')
      for (const by of [
        ['-queryfile', 'req1.tsq'],
        ['-data', 'testtsa'],
      ])
        expect(await verify(...by, '-in', 'resp1.token', '-token_in', ...FIRST_CA)).toMatchObject({ code: 0 })
    })

    it('10: creating req2.req time stamp request for file testtsa', async () => {
      const asked = ['-data', 'testtsa', '-tspolicy', POLICIES[1], '-no_nonce']
      await ok('ts', '-query', ...asked, '-out', 'req2.tsq')
    })

    it('11: printing req2.req', async () => {
      const said = await ok('ts', '-query', '-in', 'req2.tsq', '-text')
      expect(said).toMatch(/Nonce: unspecified\nCertificate required: no\n/)
    })

    it('12: generating valid response for req2.req', async () => {
      await createResponse('req2.tsq', 'resp2.tsr', service(1))
      // The policy of another service.
      await createResponse('req2.tsq', 'refused.tsr', service(0))
      expect(readReply(await bytesOf('refused.tsr')).failures).toEqual([15])
    })

    it('13: checking -token_in and -token_out options with -reply', async () => {
      await ok('ts', '-reply', '-in', 'resp2.tsr', '-out', 'token.der', '-token_out')
      await ok('ts', '-reply', '-in', 'token.der', '-token_in', '-out', 'copy.tsr')
      expect(await bytesOf('copy.tsr')).toEqual(await bytesOf('resp2.tsr'))
      await createResponse('req2.tsq', 'again.tsr', service(1))
      for (const given of [
        ['-in', 'resp2.tsr'],
        ['-in', 'token.der', '-token_in'],
        ['-in', 'again.tsr'],
      ])
        expect(await ok('ts', '-reply', ...given, '-text', '-token_out')).toContain(`OID: ${POLICIES[1]}\n`)
    })

    it('14: printing response', async () => {
      const said = await ok('ts', '-reply', '-in', 'resp2.tsr', '-text')
      expect(said).toMatch(/Status: Granted\.\n[\s\S]*Nonce: unspecified\n/)
    })

    it('15: verifying valid response', () => verifyResponse('req2.tsq', 'resp2.tsr', 'testtsa'))

    it('16: verifying response against wrong request, it should fail', () =>
      verifyResponseFails('req1.tsq', 'resp2.tsr', /policy mismatch|nonce/))

    it('17: verifying response against wrong request, it should fail', () =>
      verifyResponseFails('req2.tsq', 'resp1.tsr', /policy mismatch/))

    it('18: creating req3.req time stamp request for file CAtsa.cnf', async () => {
      await ok('ts', '-query', '-data', 'CAtsa.cnf', '-no_nonce', '-out', 'req3.tsq')
    })

    it('19: printing req3.req', async () => {
      expect(await ok('ts', '-query', '-in', 'req3.tsq', '-text')).toContain('Policy OID: unspecified\n')
    })

    it('20: verifying response against wrong request, it should fail', () =>
      verifyResponseFails('req3.tsq', 'resp1.tsr', /imprint mismatch/))

    it('and by the certificate of the operator, which is shown, and stays in the list when another one signs', async () => {
      const shown = async (port: number, all = '') =>
        (await ask(port, `/tsa/certificates${all}`)).text.match(
          /-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g,
        )
      const raw = (pem: string) => new X509Certificate(pem).raw
      const [leaf, ca] = [(await certificate('tsa_cert1')).raw, (await certificate('tsaca')).raw]
      expect((await shown(service(0).port))?.map(raw)).toEqual([leaf, ca])
      const later = await openTestApp({ beside: service(0), aggregationIntervalMs: 100 })
      try {
        await createResponse('req3.tsq', 'later.tsr', later)
        expect(await verify('-queryfile', 'req3.tsq', '-in', 'later.tsr', ...FIRST_CA)).toMatchObject({
          code: 1,
        })
        const all = (await shown(later.port, '?all'))?.map(raw)
        expect(all).toHaveLength(2)
        expect(all?.at(-1)).toEqual(leaf)
      } finally {
        await later.close()
      }
    })
  })

  it('and a list of 20,000 revoked certificates that the CA has made is read to its end, by the command line too', async () => {
    const others = Array.from({ length: 20_000 }, (_, nth) => `40${nth.toString(16).padStart(30, '0')}`)
    const desk = await openDesk()
    try {
      for (const name of ['resp1.tsr', 'testtsa', 'tsaca.pem']) await desk.put(name, await bytesOf(name))
      const own = (await certificate('tsa_cert1')).serialNumber
      for (const [serials, expected] of [
        [others, { code: 0, out: expect.stringMatching(/does not name its certificate[\s\S]*^Valid$/m) }],
        [
          [...others, own],
          { code: 1, out: expect.stringMatching(/was revoked at 2026-11-26T12:00:00Z[\s\S]*^Unsupported$/m) },
        ],
      ] as const) {
        const lines = serials.map(
          (serial) => `R\t361126120000Z\t261126120000Z,keyCompromise\t${serial}\tunknown\t/CN=x\n`,
        )
        await writeFile(join(folder, 'index.txt'), lines.join(''))
        const by = [
          '-config',
          'CAtsa.cnf',
          '-name',
          'revoking',
          '-keyfile',
          'tsaca_key.pem',
          '-cert',
          'tsaca.pem',
        ]
        await ok('ca', ...by, '-gencrl', '-out', 'revoked.pem')
        await desk.put('revoked.pem', await bytesOf('revoked.pem'))
        const words = ['verify', 'resp1.tsr', '--offline', '--file', 'testtsa', '--ca', 'tsaca.pem']
        expect(await desk.pharos([...words, '--crl', 'revoked.pem'])).toMatchObject(expected)
      }
    } finally {
      await desk.clear()
    }
  })

  describe('of a chain of several certificates', () => {
    let service: TestApp | undefined
    beforeAll(async () => {
      await root('top', 'Another CA')
      await certified('between', 'top', 'intermediate')
      await certified('unit', 'between', 'tsa_cert', P384)
      // By the same names, of somebody else.
      await root('strange_top', 'Another CA')
      service = await authority(['unit', 'between', 'top'], POLICIES[0])
      await ok('ts', '-query', '-data', 'testtsa', '-cert', '-out', 'req4.tsq')
      await createResponse('req4.tsq', 'resp4.tsr', service)
      // By OpenSSL itself, whose token has an ESSCertID for each. Tokens of the service have one.
      const own = ['-config', 'CAtsa.cnf', '-section', 'own_tsa']
      await ok('ts', '-reply', ...own, '-queryfile', 'req4.tsq', '-out', 'own4.tsr')
    })
    afterAll(() => service?.close())

    const verdict = async (reply: string, by: string) => {
      const digest = createHash('sha256')
        .update(await bytesOf('testtsa'))
        .digest()
      const roots = [(await certificate(by)).raw]
      return (await verifyTimeStamp(readTimeStamp(await bytesOf(reply)), { roots }, digest)).verdict
    }
    const replies = ['resp4.tsr', 'own4.tsr']

    it('21: verifying response with multiple ESSCertID (good chain)', async () => {
      const token = readReply(await bytesOf('resp4.tsr')).token ?? expect.fail('no token')
      const [unit, between] = [(await certificate('unit')).raw, (await certificate('between')).raw]
      expect(readToken(token).certificates).toEqual([unit, between])
      for (const reply of replies) {
        const by = ['-CAfile', 'top.pem', '-x509_strict']
        expect(await verify('-queryfile', 'req4.tsq', '-in', reply, ...by)).toMatchObject({ code: 0 })
        expect(await verdict(reply, 'top')).toBe('valid')
      }
    })

    it('22: verifying response with multiple ESSCertID (bad chain)', async () => {
      for (const reply of replies) {
        const by = ['-CAfile', 'strange_top.pem', '-untrusted', 'between.pem']
        expect(await verify('-queryfile', 'req4.tsq', '-in', reply, ...by)).toMatchObject({
          code: 1,
          said: expect.stringMatching(/certificate verify error/),
        })
        expect(await verdict(reply, 'strange_top')).toBe('unsupported')
      }
    })
  })
})
